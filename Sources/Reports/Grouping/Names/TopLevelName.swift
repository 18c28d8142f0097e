/// Interpreters' names for code outside any function, which alone would be the same in every program.
enum TopLevelName {
  private static let names: Set<String> = [
    "<module>", "<main>", "<top (required)>", "{main}", "Object.<anonymous>",
  ]

  /// Whether `raw` may be such a name. A quick test, made for every frame.
  static func mayBe(_ raw: String) -> Bool {
    switch raw.utf8.first {
    case UInt8(ascii: "("): raw.utf8.count <= 8
    case UInt8(ascii: "<"), UInt8(ascii: "{"): true
    case UInt8(ascii: "O"): raw.utf8.count == 18
    default: false
    }
  }

  /// The name with the base name of the file before it, as Python's functions have: `orders.<main>`. For a
  /// function that Lua names by its location (`<lua/orders.lua:12>`), and for Elixir's `(file)`, the file
  /// alone.
  static func name(_ raw: String, file: String?) -> String {
    if raw == "(file)" || raw == "(module)" { return file.map { String(baseName($0[...])) } ?? raw }
    if names.contains(raw) { return file.map { "\(stem($0)).\(raw)" } ?? raw }
    guard raw.hasPrefix("<"), raw.hasSuffix(">"),
      let colon = raw.utf8.lastIndex(of: UInt8(ascii: ":"))
    else { return raw }
    let line = raw[raw.index(after: colon)...].dropLast()
    guard !line.isEmpty, line.utf8.allSatisfy({ $0.isDigit }) else { return raw }
    return String(baseName(raw[..<colon].dropFirst()))
  }

  private static func baseName(_ path: Substring) -> Substring {
    let start = path.utf8.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    return start.map { path[path.utf8.index(after: $0)...] } ?? path
  }

  /// The base name without its extension.
  private static func stem(_ path: String) -> Substring {
    let name = baseName(BundleName.file(path)[...])
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return name
    }
    return name[..<dot]
  }
}
