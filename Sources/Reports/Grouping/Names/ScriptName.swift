internal import Bytes

/// Names of functions in languages that are not compiled to machine code: JavaScript, Ruby, Python, PHP, Perl, Lua
/// and others. Rules for C and C++ do not hold for them.
enum ScriptName {
  /// Whether a source file is a script.
  ///
  /// - Parameter hasAddress: Whether the frame has an address: a file without an extension is a script if it
  ///   is a program, such as `bin/tern`, but not if it is a header of the C++ library (`vector`).
  static func isOfScript(_ file: String?, hasAddress: Bool = true) -> Bool {
    guard let file else { return false }
    switch ending(file.utf8.span) {
    case .node: return true
    case .none: return !hasAddress && !file.containsBytes(of: "/include/") && !isOfJava(file)
    case .text(let ending): return endings.contains(ending)
    }
  }

  private enum Ending {
    /// The file is one of Node's own.
    case node
    case none
    /// Its bytes as one number, in lower case; 0 for more than eight.
    case text(UInt64)
  }

  private static func ending(_ path: Span<UInt8>) -> Ending {
    let node = "node:".utf8.span
    if path.count >= node.count {
      var same = 0
      while same < node.count, path[same] == node[same] { same += 1 }
      if same == node.count { return .node }
    }
    // `https://shop.example/cart.js?v=2`
    var end = path.count
    var hasColon = false
    for index in path.indices {
      let byte = path[index]
      hasColon = hasColon || byte == UInt8(ascii: ":")
      if end == path.count, byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { end = index }
    }
    if !hasColon { end = path.count }
    var letters: UInt64 = 0
    var index = end
    while index > 0 {
      index -= 1
      let byte = path[index]
      if byte == UInt8(ascii: ".") { return .text(end - index <= 9 ? letters : 0) }
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") { break }
      let letterIndex = UInt64(end - index - 1)
      if letterIndex < 8 { letters |= UInt64(byte.lowercased) << (8 * letterIndex) }
    }
    return .none
  }

  /// Whether the file's name is a placeholder of Java: for generated code, and by R8 and ProGuard.
  private static func isOfJava(_ file: String) -> Bool {
    ["<generated>", "SourceFile", "Unknown Source", "Native Method", "PG", "Proguard", "Unknown"]
      .contains(file) || file.hasPrefix("r8-map-id-") || file.hasPrefix("D8$$")
  }

  private static let endings = Set(
    [
      "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte", "bundle", "jsbundle",
      "hbc", "html", "coffee", "rb", "erb", "rake", "ru", "gemspec", "py", "pyx", "php", "phtml",
      "inc", "pl", "pm", "t", "cgi", "lua", "ex", "exs", "erl", "r", "tcl", "groovy", "gradle",
      // Compiled, but their own stacks have nothing of the C library.
      "nim", "cr", "hs", "lhs",
    ].map { $0.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } })

  /// The name in a signature, whichever version or browser wrote it.
  ///
  /// - Parameter file: The file of the frame.
  static func plain(_ raw: String, _ file: String?) -> String {
    switch raw.utf8.first {
    case UInt8(ascii: "b"), UInt8(ascii: "r"), UInt8(ascii: "e"):
      if let method = rubyMethod(raw) { return method }
    default: break
    }
    guard let file, isOfScript(file) else { return raw }
    return isOfBrowser(file) ? browserName(raw) : withoutReceiver(raw, file)
  }

  /// Node's `Module.total`, `exports.total` and `module.exports.total` without the receiver that V8 prints
  /// for a module or the global object, which depends on how the function was called.
  private static func withoutReceiver(_ raw: String, _ file: String) -> String {
    let isJavaScript = [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"].contains(
      where: file.hasSuffix)
    // Node's own functions of such names have rules.
    guard isJavaScript, file.containsBytes(of: "/") || file.containsBytes(of: "\\"),
      !file.hasPrefix("node:"),
      !file.hasPrefix("internal/")
    else { return raw }
    for lead in [
      "module.exports.", "exports.", "Module.", "globalThis.", "global.", "window.", "self.",
    ] where raw.hasPrefix(lead) {
      let name = raw.dropFirst(lead.count)
      guard let first = name.utf8.first, first.isLetter, !name.utf8.contains(UInt8(ascii: "."))
      else { return raw }
      return String(name)
    }
    return raw
  }

  /// `block (2 levels) in take`, `rescue in take`, `ensure in block in take`: all are of `take`.
  private static func rubyMethod(_ raw: String) -> String? {
    var name = raw[...]
    scan: while true {
      for lead in ["block in ", "rescue in ", "ensure in "] where name.hasPrefix(lead) {
        name = name.dropFirst(lead.count)
        continue scan
      }
      guard name.hasPrefix("block (") else { break }
      let digits = name.utf8.dropFirst(7).prefix { $0.isDigit }
      let rest = name[digits.endIndex...]
      guard !digits.isEmpty, let end = [" levels) in ", " level) in "].first(where: rest.hasPrefix)
      else { break }
      name = rest.dropFirst(end.count)
    }
    return name.startIndex > raw.startIndex && !name.isEmpty ? String(name) : nil
  }

  private static func isOfBrowser(_ file: String) -> Bool {
    file.hasPrefix("https://") || file.hasPrefix("http://")
  }

  /// Chrome writes `Cart.total`, `new Cart`, `async pay` and `Cart.total [as sum]` where Firefox and Safari write
  /// `total`, `Cart`, `pay` or `async*pay`, and `total`; Firefox writes `total/<` for a function in it.
  private static func browserName(_ raw: String) -> String {
    var name = raw[...]
    if name.hasSuffix("]"), let alias = name.range(ofText: " [as ") { name = name[..<alias] }
    for lead in ["async*", "async ", "new ", "get ", "set ", "static "] where name.hasPrefix(lead) {
      name = name.dropFirst(lead.count)
    }
    while name.hasSuffix("/<") || name.hasSuffix("<") && !name.hasPrefix("<") {
      name = name.dropLast(name.hasSuffix("/<") ? 2 : 1)
    }
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else {
      return name.isEmpty ? raw : String(name)
    }
    let last = name[name.utf8.index(after: dot)...]
    guard let first = last.utf8.first, first != UInt8(ascii: "<"), !first.isDigit else {
      return raw
    }
    return String(last)
  }
}

extension Substring {
  /// The first index of `text`.
  fileprivate func range(ofText text: String) -> Index? {
    var rest = self
    while !rest.isEmpty {
      if rest.hasPrefix(text) { return rest.startIndex }
      rest = rest.dropFirst()
    }
    return nil
  }
}
