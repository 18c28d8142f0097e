/// The path of a script: `app:///static/js/main.js`, `https://shop.example/main.js?v=2`, `/srv/dist/cart.js`,
/// `~/static/js/main.js`, `index.android.bundle`.
package struct ScriptPath: Hashable, Sendable {
  /// The parts of the path, without host, query and fragment.
  package let parts: [String]

  /// Returns `nil` where the text has no path, or is not that of a script.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    var path = text[...]
    if let scheme = path.firstRange(of: "://") {
      // `app:///main.js` has no host, `https://shop.example/main.js` has one.
      path = path[scheme.upperBound...]
      let host = path.prefix { $0 != "/" }
      guard host.endIndex < path.endIndex || text.hasPrefix("app:") else { return nil }
      if host.endIndex < path.endIndex { path = path[host.endIndex...] }
    }
    if let end = path.firstIndex(where: { $0 == "?" || $0 == "#" }) { path = path[..<end] }
    parts = path.split { $0 == "/" || $0 == "\\" }.map(String.init).filter {
      $0 != "." && $0 != "~"
    }
    guard let name = parts.last,
      Self.endings.contains(where: { name.utf8.count > $0.utf8.count && name.hasSuffix($0) })
    else { return nil }
  }

  private static let longest = 4096
  private static let endings = [".js", ".mjs", ".cjs", ".bundle", ".jsbundle", ".hbc"]

  /// The last part.
  package var name: String { parts.last ?? "" }

  /// The number of equal parts, from the last one on.
  package func commonParts(with other: ScriptPath) -> Int {
    zip(parts.reversed(), other.parts.reversed()).prefix { $0 == $1 }.count
  }

  /// Whether the name contains a hash of the content, so that no other build has it: `main.3fa9c1d2.js`.
  package var hasHash: Bool {
    name.split { !$0.isLetter && !$0.isNumber }.contains { part in
      part.utf8.count >= 8 && part.utf8.allSatisfy { $0 < 0x80 } && part.contains(where: \.isNumber)
        && part.allSatisfy(\.isHexDigit)
    }
  }

  /// Whether the code at a location is probably generated rather than written by hand.
  package func looksGenerated(line: Int, column: Int?) -> Bool {
    hasHash || name.hasSuffix("bundle") || name.hasSuffix(".hbc") || name.contains(".min.")
      || name.contains(".chunk.") || column.map { $0 > Self.widestColumn } ?? false
  }

  /// The largest column of lines written by hand.
  private static let widestColumn = 400
}
