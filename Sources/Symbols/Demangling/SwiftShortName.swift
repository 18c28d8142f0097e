/// The name that Swift's compiler gives a function in debug information, derived from its demangled name.
///
///     area              demo.Shape.area(scale: Swift.Int) -> Swift.Int
///     reduce            generic specialization <Swift.Int> of (extension in Swift):Swift.Sequence.reduce<A>(...)
///     side.get          demo.Shape.side.getter : Swift.Int
///     +                 static demo.Shape.+ infix(demo.Shape, demo.Shape) -> demo.Shape
///     main              (2) await resume partial function for static demo.M.main() async -> ()
///
/// Functions nested in another one, such as closures, have no short name there and keep their whole names.
///
/// Source: `IRGenDebugInfoImpl::getName` in lib/IRGen/IRGenDebugInfo.cpp of the Swift project.
enum SwiftShortName {
  private static let accessors = [
    ".getter": ".get", ".setter": ".set", ".modify": ".modify", ".read": ".read",
    ".willset": ".willset", ".didset": ".didset", ".unsafeAddressor": ".unsafeAddressor",
    ".unsafeMutableAddressor": ".unsafeMutableAddressor",
  ]

  static func name(_ text: String) -> String {
    var bytes = Array(text.utf8)[...]
    if let suffix = bytes.first(of: " with unmangled suffix ") { bytes = bytes[..<suffix] }
    bytes = withoutWrappers(bytes)
    guard !bytes.contains(outside: " in "), !bytes.contains(outside: " of ") else { return text }
    // An operator may consist of brackets.
    for fixity in [" infix(", " prefix(", " postfix(", " infix<", " prefix<", " postfix<"] {
      if let end = bytes.first(of: fixity) {
        let path = bytes[..<end]
        let start = path.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? path.startIndex
        return start < end ? String(decoding: path[start...], as: UTF8.self) : text
      }
    }
    var path = bytes[
      ..<(bytes.firstIndex { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "<") } ?? bytes.endIndex)
    ]
    if let type = path.first(of: " : ") { path = path[..<type] }
    if let space = path.lastIndex(of: UInt8(ascii: " ")) { path = path[(space + 1)...] }
    var ending = ""
    for (accessor, short) in accessors where path.ends(with: accessor) {
      path = path.dropLast(accessor.utf8.count)
      ending = short
    }
    let start = path.lastIndex(of: UInt8(ascii: ".")).map { $0 + 1 } ?? path.startIndex
    guard start < path.endIndex else { return text }
    switch String(decoding: path[start...], as: UTF8.self) {
    case "__allocating_init": return "init"
    case "__deallocating_deinit": return "deinit"
    case let name: return name + ending
    }
  }

  /// The function that a specialisation, a part of an asynchronous function or a default argument belongs to,
  /// without the module of its extension.
  private static func withoutWrappers(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    var depth = 0
    var index = rest.startIndex
    while index < rest.endIndex {
      switch rest[index] {
      case UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ">") where index > rest.startIndex && rest[index - 1] == UInt8(ascii: "-"):
        break
      case UInt8(ascii: ">"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: " ") where depth == 0:
        let head = rest[..<index]
        for word in [" of ", " for "] where rest[index...].starts(with: word.utf8) {
          guard isWrapper(head) else { continue }
          rest = rest[(index + word.utf8.count)...]
          index = rest.startIndex - 1
          depth = 0
          break
        }
      default: break
      }
      index += 1
    }
    let extensionStart = "(extension in "
    if rest.starts(with: extensionStart.utf8), let end = rest.first(of: "):") {
      rest = rest[(end + 2)...]
    }
    return rest
  }

  private static func isWrapper(_ head: ArraySlice<UInt8>) -> Bool {
    [
      "generic ", "function signature specialization", "partial ", "merged ", "default argument ",
    ].contains { head.starts(with: $0.utf8) } || head.ends(with: " resume partial function")
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with text: String) -> Bool {
    count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8)
  }

  /// The index of the first occurrence of `text`.
  fileprivate func first(of text: String) -> Int? {
    let wanted = Array(text.utf8)
    guard count >= wanted.count else { return nil }
    return (startIndex...(endIndex - wanted.count)).first { self[$0...].starts(with: wanted) }
  }

  /// Whether `text` occurs outside all brackets.
  fileprivate func contains(outside text: String) -> Bool {
    var depth = 0
    for index in indices {
      switch self[index] {
      case UInt8(ascii: "<"), UInt8(ascii: "["), UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ">") where index > startIndex && self[index - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ">"), UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
      default: if depth == 0, self[index...].starts(with: text.utf8) { return true }
      }
    }
    return false
  }
}
