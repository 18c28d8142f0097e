internal import Files

/// Names from outside, turned into names for members of an archive.
public enum ArchiveName {
  /// The most bytes that are kept of a name.
  private static let limit = 100

  /// One part of a path that looks like `name`: what separates folders, what some system refuses and
  /// what cannot be seen becomes `_`; of a long name the end is kept.
  public static func part(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars.suffix(limit) {
      let shown = DisplayText.escaped(String(scalar).utf8)
      text += "/\\:*?\"<>|".contains(shown) || shown.unicodeScalars.count > 1 ? "_" : shown
    }
    while text.utf8.count > limit { text.removeFirst() }
    // A dot in front hides a file; Windows drops dots and blanks at the end.
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    if text.first == "." { text = "_" + text.dropFirst() }
    return text.isEmpty ? "_" : text
  }
}
