//! Signs that a text lost words on its way.

/// Words lost between commas and stops leave marks with blanks before them, many in a row: `- , CPU . , , , .`
pub fn words_lost(text: &str) -> bool {
    let (mut window, mut length) = (0_u8, 0_u8);
    for word in text.split_ascii_whitespace() {
        let lone = matches!(word, "," | "." | ";" | ":" | "-");
        window = (window << 1 | u8::from(lone)) & 0b1_1111;
        length = length.saturating_add(1);
        if length >= 5 && window.count_ones() >= 4 {
            return true;
        }
    }
    false
}
