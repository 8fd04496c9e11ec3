//! Lists of patterns: the section PATTERNS of the manual of `ssh_config`.

/// Whether a text matches one of the patterns of a list with commas, and none of those that begin with `!`.
pub(crate) fn match_list(list: &str, text: &str) -> bool {
    let mut found = false;
    for pattern in list.split(',') {
        match pattern.strip_prefix('!') {
            Some(pattern) if matches(pattern, text) => return false,
            Some(_) => (),
            None => found |= matches(pattern, text),
        }
    }
    found
}

/// Whether a text matches a pattern, in which `*` stands for any characters and `?` for one.
fn matches(pattern: &str, text: &str) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    // After the last `*`: the pattern behind it, and the text that it has not taken yet. If the rest does not
    // match, it takes one character more. An earlier `*` need not be tried again.
    let mut last = None;
    loop {
        let before = (pattern.clone(), text.clone());
        match (pattern.next(), text.next()) {
            (Some('*'), _) => {
                text = before.1;
                last = Some((pattern.clone(), text.clone()));
            }
            (None, None) => return true,
            (Some('?'), Some(_)) => (),
            (Some(a), Some(b)) if a == b => (),
            (_, None) => return false,
            (_, Some(_)) => match &mut last {
                Some((behind, rest)) => {
                    rest.next();
                    pattern = behind.clone();
                    text = rest.clone();
                }
                None => return false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("", "", true),
            ("", "a", false),
            ("a", "", false),
            ("abc", "abc", true),
            ("abc", "abd", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("a?", "a", false),
            ("*", "", true),
            ("*", "anything", true),
            ("*@example.com", "alice@example.com", true),
            ("*@example.com", "alice@example.com.evil", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZd", false),
            ("*a", "aaaaab", false),
            ("**?", "x", true),
            ("a*", "a", true),
            ("*.*", "a.b.c", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn lists() {
        for (list, text, expected) in [
            ("a,b", "b", true),
            ("a,b", "c", false),
            ("*,!b", "b", false),
            ("!b,*", "b", false),
            ("*,!b", "a", true),
            // A list of exceptions alone matches nothing.
            ("!b", "a", false),
        ] {
            assert_eq!(match_list(list, text), expected, "{list} {text}");
        }
    }
}
