//! Pages fetched from the web: a server of this test on 127.0.0.1 sends what real ones send, and worse.
#![cfg(feature = "fetch")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use crate::common::TempLibrary;
use incidentlib::fetch::{Bounds, fetch};
use serde_json::Value;

/// A postmortem in Korean, invented for this test.
const PAGE: &str = "<!doctype html><html><head><title>로그인 장애 보고서 (지어낸 사례)</title></head><body><article>\
<h1>로그인 장애 보고서 (지어낸 사례)</h1><p>2024년 3월 14일 오전 8시 12분 UTC 부터 오전 11시 47분 UTC 까지 로그인 서비스에 \
장애가 있었다. 인증서가 만료되어 모든 요청이 실패했고, 새 인증서를 넣은 뒤 서비스가 복구되었다.</p>\
<h2>재발 방지 대책</h2><ul><li>인증서 만료 30일 전에 경보를 울린다</li></ul></article></body></html>";

/// Answers every connection by the path asked for, as long as the test runs.
fn server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || answer(stream));
        }
    });
    address
}

fn answer(mut stream: TcpStream) {
    let mut asked = Vec::new();
    let mut buffer = [0; 4096];
    while !asked.windows(4).any(|w| w == b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(n) if n > 0 => asked.extend_from_slice(&buffer[..n]),
            _ => return,
        }
    }
    let asked = String::from_utf8_lossy(&asked).into_owned();
    let path = asked.split_whitespace().nth(1).unwrap_or("/");
    let korean = || encoding_rs::EUC_KR.encode(PAGE).0.into_owned();
    let html = "content-type: text/html";
    let _ = match path {
        "/post" => send(&mut stream, 200, "content-type: text/html; charset=euc-kr\r\nset-cookie: id=secret\r\nx-served-by: a\r\nx-served-by: b", &korean()),
        "/moved" => send(&mut stream, 302, "location: /post", b""),
        "/loop" => send(&mut stream, 301, "location: /loop", b""),
        "/to-file" => send(&mut stream, 302, "location: file:///etc/passwd", b""),
        "/to-metadata" => send(&mut stream, 302, "location: http://169.254.169.254/latest/", b""),
        "/picture" => send(&mut stream, 200, "content-type: image/png", b"\x89PNG"),
        "/wall" => send(
            &mut stream,
            200,
            html,
            b"<html><title>Just a moment...</title><body><h1>Checking your browser</h1><p>Verify you are human by completing the action below.</p></body></html>",
        ),
        "/endless" => {
            let head = format!("HTTP/1.1 200 OK\r\n{html}\r\n\r\n");
            let mut sent = stream.write_all(head.as_bytes());
            while sent.is_ok() {
                sent = stream.write_all(&[b'a'; 65536]);
            }
            Ok(())
        }
        "/bomb" => {
            use flate2::{Compression, write::GzEncoder};
            let mut zip = GzEncoder::new(Vec::new(), Compression::best());
            for _ in 0..64 {
                zip.write_all(&vec![b' '; 1 << 20]).unwrap();
            }
            let headers = format!("{html}\r\ncontent-encoding: gzip");
            send(&mut stream, 200, &headers, &zip.finish().unwrap())
        }
        "/silent" => {
            thread::sleep(std::time::Duration::from_secs(20));
            Ok(())
        }
        "/rubbish" => stream.write_all(b"\x00\x01 this is no HTTP\r\n\r\n"),
        _ => send(&mut stream, 404, html, b"<p>not here</p>"),
    };
}

fn send(stream: &mut TcpStream, status: u16, headers: &str, body: &[u8]) -> std::io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} x\r\n{headers}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    )?;
    stream.write_all(body)
}

#[test]
fn a_fetched_page_lies_with_what_the_server_said_of_it() {
    let server = server();
    let library = TempLibrary::new();
    let url = format!("{server}/moved");
    let said = library.say(&["ingest", "--new", "--allow-private", &url]);
    assert!(said.contains("IL-0001"), "{said}");
    assert!(said.contains("leads to"), "{said}");
    let manifest: Value = serde_json::from_str(&library.read("raw/IL-0001/sources.json")).unwrap();
    let page = &manifest["pages"][0];
    assert_eq!(page["url"], url, "the address as the curator gave it");
    assert_eq!(page["file"], "post.html");
    assert_eq!(page["fetched_at"], crate::common::TODAY);
    assert_eq!(page["response"]["url"], format!("{server}/post"));
    assert_eq!(page["response"]["status"], 200);
    let headers = &page["response"]["headers"];
    assert_eq!(headers["content-type"], "text/html; charset=euc-kr");
    assert_eq!(headers["x-served-by"], "a, b");
    assert_eq!(headers["set-cookie"], Value::Null, "cookies are not kept");
    // Byte for byte as received, and read by the character set that only the server told.
    let raw = std::fs::read(library.file("raw/IL-0001/post.html")).unwrap();
    assert_eq!(raw, encoding_rs::EUC_KR.encode(PAGE).0.as_ref());
    let record: Value = serde_json::from_str(&library.read("normalized/IL-0001.json")).unwrap();
    assert_eq!(record["title"]["ko"], "로그인 장애 보고서 (지어낸 사례)");
    assert_eq!(record["timeline"]["resolved_after"], "3h 35m");
    // The same again from the library alone.
    let before = library.tree();
    library.run(&["ingest"]);
    assert_eq!(library.tree(), before);
    let checked = library.say(&["check", "raw"]);
    assert!(!checked.contains("sources.json"), "{checked}");
}

#[test]
fn every_refusal_says_what_and_what_to_do_and_writes_nothing() {
    let server = server();
    let library = TempLibrary::new();
    let before = library.tree();
    let mut all = String::new();
    for path in [
        "/loop", "/to-file", "/picture", "/wall", "/endless", "/bomb", "/rubbish", "/nothing",
    ] {
        let url = format!("{server}{path}");
        let said = library.say(&["ingest", "--new", "--allow-private", &url]);
        all.push_str(&format!(
            "{path}\n{}\n",
            said.replace(&server, "http://[server]")
        ));
    }
    let url = format!("{server}/silent");
    let said = library.say(&["ingest", "--new", "--allow-private", "--timeout", "1", &url]);
    all.push_str(&format!(
        "/silent\n{}\n",
        said.replace(&server, "http://[server]")
    ));
    for address in [
        "http://[::1]/x",
        "http://0x7f.1/x",
        "https://me:secret@example.org/x",
        "http://",
    ] {
        all.push_str(&format!("{}\n", library.say(&["ingest", "--new", address])));
    }
    assert!(!all.contains("secret@"), "{all}");
    // A name is looked up first; which of its addresses comes first is the machine's affair.
    let said = library.say(&["ingest", "--new", "http://localhost:9/x"]);
    assert!(said.contains("an address of this machine"), "{said}");
    insta::assert_snapshot!(all);
    assert_eq!(library.tree(), before);
}

#[test]
fn a_redirect_into_a_private_network_is_refused() {
    // The first hop is allowed as if it were public: only the second is private here.
    let server = server();
    let bounds = Bounds::default();
    let first = fetch(&format!("{server}/to-metadata"), &bounds).unwrap_err();
    assert!(first.message.contains("127.0.0.1"), "{}", first.message);
    let open = Bounds {
        private: true,
        timeout: std::time::Duration::from_secs(3),
        ..Bounds::default()
    };
    // With private addresses allowed it is tried, so it was the check that refused and not the redirect.
    let tried = fetch(&format!("{server}/to-metadata"), &open).unwrap_err();
    assert!(
        tried.message.contains("169.254.169.254"),
        "{}",
        tried.message
    );
}

#[test]
fn two_addresses_for_one_page_are_refused() {
    let library = TempLibrary::new();
    let said = library.say(&[
        "ingest",
        "--new",
        "--allow-private",
        "--url",
        "https://a.example/",
        &format!("{}/post", server()),
    ]);
    assert!(said.contains("leave one of the two out"), "{said}");
}
