/// The visual appearance of names.
enum NameShape {
  /// Letters of other alphabets that look like one of the Latin alphabet in most fonts, in lower case:
  /// Cyrillic, Greek, Armenian and dotless ones, in the order of the Latin ones.
  ///
  /// Source: Unicode Technical Standard 39, confusables.txt: the letters with a single Latin letter as
  /// their prototype.
  private static let latin: [Unicode.Scalar: Character] = {
    var table: [Unicode.Scalar: Character] = [:]
    for (letters, others) in [
      ("a", "\u{430}\u{3b1}\u{251}"), ("b", "\u{44c}\u{184}"), ("c", "\u{441}\u{3f2}\u{1d04}"),
      ("d", "\u{501}\u{257}"), ("e", "\u{435}\u{4bd}\u{212e}"), ("f", "\u{584}\u{192}"),
      ("g", "\u{581}\u{261}"), ("h", "\u{4bb}\u{570}"),
      ("i", "\u{456}\u{131}\u{3b9}\u{269}\u{4cf}"), ("j", "\u{458}\u{3f3}"),
      ("k", "\u{43a}\u{3ba}\u{138}"),
      ("l", "\u{4c0}"), ("m", "\u{43c}"), ("n", "\u{578}\u{57c}"),
      ("o", "\u{43e}\u{3bf}\u{585}\u{3c3}\u{1d0f}"), ("p", "\u{440}\u{3c1}"),
      ("q", "\u{51b}\u{566}"),
      ("r", "\u{433}\u{1d26}"), ("s", "\u{455}\u{1bd}"), ("t", "\u{442}\u{3c4}"),
      ("u", "\u{57d}\u{3c5}\u{1d1c}"), ("v", "\u{475}\u{3bd}\u{1d20}"),
      ("w", "\u{51d}\u{461}\u{1d21}"),
      ("x", "\u{445}\u{3c7}"), ("y", "\u{443}\u{3b3}\u{4af}"), ("z", "\u{1d22}"),
    ] {
      guard let letter = letters.first else { continue }
      for scalar in others.unicodeScalars { table[scalar] = letter }
    }
    return table
  }()

  /// A shape that is equal for names that look alike: it ignores letter case, marks, invisible characters and
  /// full-width forms, and replaces digits and letters of other alphabets by the Latin letters that they look
  /// like.
  static func shape(of name: String) -> String {
    var shape = ""
    for scalar in name.unicodeScalars {
      // Full-width forms of ASCII.
      let narrow =
        (0xff01...0xff5e).contains(scalar.value)
        ? Unicode.Scalar(scalar.value - 0xfee0) ?? scalar : scalar
      for lower in narrow.properties.lowercaseMapping.unicodeScalars {
        let properties = lower.properties
        let isMark = [.nonspacingMark, .enclosingMark, .format].contains(properties.generalCategory)
        guard !isMark, !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint else {
          continue
        }
        switch latin[lower] ?? Character(lower) {
        case "0": shape.append("o")
        case "1", "l", "|": shape.append("i")
        case let other: shape.append(other)
        }
      }
    }
    return shape
  }

  /// Whether a name does not mix Latin letters with Cyrillic, Greek or Armenian ones.
  static func isOfOneScript(_ name: String) -> Bool {
    var scripts: Set<Int> = []
    for scalar in name.unicodeScalars where scalar.properties.isAlphabetic {
      switch scalar.value {
      case 0x41...0x24f, 0x1e00...0x1eff, 0xff21...0xff5a: scripts.insert(0)
      case 0x370...0x3ff, 0x1f00...0x1fff: scripts.insert(1)
      case 0x400...0x52f: scripts.insert(2)
      case 0x530...0x58f: scripts.insert(3)
      default: break
      }
    }
    return scripts.count < 2
  }
}
