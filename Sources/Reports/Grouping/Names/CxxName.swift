/// Names of C++ and Rust: return type, parameters and qualifiers are removed, template arguments become
/// `<T>`, and anonymous namespaces, lambdas and closures get one spelling.
struct CxxName {
  /// The normalised name, or `nil` for an unbalanced one, which stays unchanged.
  static func normalise(_ name: NameBytes) -> NameBytes? { normalise(name, depth: 0) }

  private static func normalise(_ name: NameBytes, depth: Int) -> NameBytes? {
    var scan = CxxName(name: withoutThunk(name), depth: depth)
    return scan.run() ? scan.output : nil
  }

  private static func withoutThunk(_ name: NameBytes) -> NameBytes {
    for prefix: StaticString in [
      "non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to ",
      "transaction clone for ", "non-transaction clone for ",
    ] where name.has(prefix) { return name.from(prefix.utf8CodeUnitCount) }
    return name
  }

  let name: NameBytes
  /// The nesting depth of this name, for a function that returns a function.
  let depth: Int
  var output = NameBytes()
  var index = 0

  private init(name: NameBytes, depth: Int) {
    self.name = name
    self.depth = depth
    output.reserveCapacity(name.count)
  }

  /// Whether a part of the name begins here: at its start or after `::`.
  private var isAtPart: Bool { output.isEmpty || output.ends(with: "::") }

  private mutating func run() -> Bool {
    while index < name.count {
      let byte = name[index]
      switch byte {
      case UInt8(ascii: "("):
        guard let goesOn = parentheses() else { return false }
        if !goesOn { return !output.isEmpty }
      case UInt8(ascii: "<"): guard angles() else { return false }
      case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): return false
      case UInt8(ascii: "{"): guard braces() else { return false }
      case UInt8(ascii: "["):
        guard let end = Brackets.end(of: name, from: index) else { return false }
        index = end
      case UInt8(ascii: "'"): quoted()
      case UInt8(ascii: "`"): guard backquoted() else { return false }
      case UInt8(ascii: " "):
        // The text before it was a return type or a word such as `static`.
        if !(output.ends(with: "decltype") && name.at(index + 1) == UInt8(ascii: "(")) {
          output.removeAll(keepingCapacity: true)
        }
        index += 1
      case UInt8(ascii: "*"), UInt8(ascii: "&"): index += 1
      case UInt8(ascii: ":"): separator()
      case UInt8(ascii: "?") where isAtPart && name.has("?A0x", at: index):
        output.append("(anonymous namespace)")
        index += 4
        while name.at(index).isHexDigit { index += 1 }
      case UInt8(ascii: "$") where isAtPart && name.at(index + 1) == UInt8(ascii: "_"):
        output.append("{lambda}")
        index = name.digitsEnd(index + 2)
      default: identifier()
      }
    }
    return !output.isEmpty
  }

  private mutating func separator() {
    guard name.at(index + 1) == UInt8(ascii: ":") else {
      output.append(name[index])
      index += 1
      return
    }
    output.append("::")
    index += 2
    // Inline namespaces of the standard libraries.
    guard output.count == 5, output.has("std::"), name.has("__", at: index) else { return }
    for inner: StaticString in ["__1::", "__cxx11::", "__ndk1::", "__2::", "__Cr::", "__8::"]
    where name.has(inner, at: index) { index += inner.utf8CodeUnitCount }
  }

  private mutating func identifier() {
    let start = index
    while index < name.count {
      let byte = name[index]
      guard
        byte.isIdentifier || byte == UInt8(ascii: "~") || byte == UInt8(ascii: ".")
          || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "#")
      else { break }
      index += 1
    }
    if index == start {
      output.append(name[index])
      index += 1
      return
    }
    if index - start == 8, name.has("operator", at: start), isAtPart {
      output.append("operator")
      operatorName()
    } else {
      output.append(contentsOf: name[start..<index])
    }
  }

  /// Parameters, or other text in parentheses; `nil` if they do not close, `false` if the name ends with
  /// them.
  private mutating func parentheses() -> Bool? {
    let anonymous: StaticString = "(anonymous namespace)"
    if name.has(anonymous, at: index) {
      output.append(anonymous)
      index += anonymous.utf8CodeUnitCount
      return true
    }
    guard let end = Brackets.end(of: name, from: index) else { return nil }
    if output.ends(with: "decltype") || output.ends(with: "noexcept") {
      output.removeAll(keepingCapacity: true)
      index = end
      return true
    }
    if output.isEmpty {
      // `void (*handler(int))(char)`: the name is inside.
      var inner = Array(name[(index + 1)..<(end - 1)])
      while let first = inner.first, first == UInt8(ascii: "*") || first == UInt8(ascii: "&") {
        inner.removeFirst()
      }
      if depth < 2, !inner.isEmpty, let text = CxxName.normalise(inner, depth: depth + 1) {
        output = text
        return false
      }
      if name.has("decltype", at: index - 9) || index + 1 < end {
        index = end
        return true
      }
      return nil
    }
    index = end
    // A function inside a function: `outer(int) const::Local::inner()`.
    var next = end
    while true {
      if name.has(" const", at: next) {
        next += 6
      } else if name.has(" volatile", at: next) {
        next += 9
      } else if name.has(" &&", at: next) {
        next += 3
      } else if name.has(" &", at: next) {
        next += 2
      } else if name.has("[abi:", at: next), let close = Brackets.end(of: name, from: next) {
        next = close
      } else {
        break
      }
    }
    guard name.has("::", at: next) else {
      // `{block}` and `{closure}` that earlier steps have put after a name stay.
      if name.at(next) == UInt8(ascii: "{") {
        index = next
        return true
      }
      return false
    }
    index = next
    return true
  }

  private mutating func angles() -> Bool {
    guard let end = Brackets.end(of: name, from: index) else { return false }
    let inner = Array(name[(index + 1)..<(end - 1)])
    if inner.has("lambda"), isAtPart {
      output.append("{lambda}")
    } else if isAtPart, !inner.has("unnamed") {
      if inner.find(" as ") != nil || inner.has("impl ") {
        output.append(UInt8(ascii: "<"))
        output.append(contentsOf: CxxName.collapsed(inner))
        output.append(UInt8(ascii: ">"))
      } else if output.isEmpty {
        // Rust's `<app::Cart>::total`.
        guard depth < 2, let path = CxxName.normalise(inner, depth: depth + 1) else { return false }
        output.append(contentsOf: path)
      } else {
        // Rust's `parse::<u32>`.
        output.removeLast(2)
        output.append("<T>")
      }
    } else if inner.has("unnamed") && isAtPart {
      output.append("{unnamed}")
    } else {
      output.append("<T>")
    }
    index = end
    return true
  }

  /// `Vec<T,A> as Index<I>` with each list of arguments as `<T>`.
  static func collapsed(_ name: NameBytes) -> NameBytes {
    var output = NameBytes()
    var index = 0
    while index < name.count {
      if name[index] == UInt8(ascii: "<"), let end = Brackets.end(of: name, from: index) {
        output.append("<T>")
        index = end
      } else {
        output.append(name[index])
        index += 1
      }
    }
    return output
  }

  private mutating func braces() -> Bool {
    guard let end = Brackets.end(of: name, from: index) else { return false }
    var start = index
    while name.at(start) == UInt8(ascii: "{") { start += 1 }
    if name.has("lambda", at: start) {
      output.append("{lambda}")
    } else if name.has("closure", at: start) {
      output.append("{closure}")
    } else if name.has("unnamed", at: start) {
      output.append("{unnamed}")
    } else if name.has("vtable.shim", at: start) || name.has("shim:", at: start) {
      if output.ends(with: "::") { output.removeLast(2) }
    } else if let number = name[index..<end].firstIndex(of: UInt8(ascii: "#")) {
      output.append(contentsOf: name[index..<number])
      output.append(UInt8(ascii: "}"))
    } else {
      output.append(contentsOf: name[index..<end])
    }
    index = end
    return true
  }

  /// LLVM's `'lambda'(int)` and `'lambda0'(int)`.
  private mutating func quoted() {
    guard let close = name[(index + 1)...].firstIndex(of: UInt8(ascii: "'")) else {
      output.append(name[index])
      index += 1
      return
    }
    let isLambda = name.has("lambda", at: index + 1)
    if isLambda {
      output.append("{lambda}")
    } else if name.has("unnamed", at: index + 1) {
      output.append("{unnamed}")
    } else {
      output.append(contentsOf: name[index...close])
    }
    index = close + 1
    if isLambda, name.at(index) == UInt8(ascii: "("),
      let end = Brackets.end(of: name, from: index)
    {
      index = end
    }
  }

  /// Microsoft's `` `anonymous namespace' `` and `` `scalar deleting destructor' ``.
  private mutating func backquoted() -> Bool {
    guard let close = name[index...].firstIndex(of: UInt8(ascii: "'")) else { return false }
    if name.has("`anonymous namespace'", at: index) || name.has("`anonymous-namespace'", at: index)
    {
      output.append("(anonymous namespace)")
    } else if name.has("deleting destructor'", at: close - 19), output.ends(with: "::") {
      let type = output.dropLast(2)
      let start = type.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
      var last = Array(type[start...])
      if let arguments = last.firstIndex(of: UInt8(ascii: "<")) { last.cut(at: arguments) }
      output.append(UInt8(ascii: "~"))
      output.append(contentsOf: last)
    } else {
      output.append(contentsOf: name[index...close])
    }
    index = close + 1
    return true
  }

  /// Longest first.
  private static let operators: [StaticString] = [
    "<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "->", "<=", ">=", "==", "!=", "&&", "||",
    "++",
    "--", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<", ">", "+", "-", "*", "/", "%", "^",
    "&",
    "|", "~", "!", "=", ",",
  ]

  private mutating func operatorName() {
    if let mark = Self.operators.first(where: { name.has($0, at: index) && isWhole($0) }) {
      output.append(mark)
      index += mark.utf8CodeUnitCount
    } else if name.at(index) == UInt8(ascii: "\"") {
      output.append("\"\"")
      index += 2
      if name.at(index) == 0x20 { index += 1 }
      while name.at(index).isIdentifier {
        output.append(name[index])
        index += 1
      }
    } else if name.at(index) == 0x20 {
      for word: StaticString in [" new[]", " delete[]", " new", " delete", " co_await"]
      where name.has(word, at: index) && !name.at(index + word.utf8CodeUnitCount).isIdentifier {
        output.append(word)
        index += word.utf8CodeUnitCount
        return operatorArguments()
      }
      conversion()
      return
    }
    operatorArguments()
  }

  /// Whether `mark` is not the start of another operator or of template arguments: `operator<<int>`
  /// is `operator<` with an argument.
  private func isWhole(_ mark: StaticString) -> Bool {
    let end = index + mark.utf8CodeUnitCount
    guard mark.utf8CodeUnitCount == 2, name.has("<<", at: index) else { return true }
    let next = name.at(end)
    return next == 0 || next == UInt8(ascii: "(") || next == UInt8(ascii: "<") || next == 0x20
      || next == UInt8(ascii: "[")
  }

  private mutating func operatorArguments() {
    let start = name.at(index) == 0x20 ? index + 1 : index
    guard name.at(start) == UInt8(ascii: "<"), let end = Brackets.end(of: name, from: start) else {
      return
    }
    if output.last == UInt8(ascii: "<") { output.append(0x20) }
    output.append("<T>")
    index = end
  }

  /// `operator unsigned int`: the name of the type goes up to the parameters.
  private mutating func conversion() {
    while index < name.count, name[index] != UInt8(ascii: "(") {
      if name[index] == UInt8(ascii: "<"), let end = Brackets.end(of: name, from: index) {
        output.append("<T>")
        index = end
      } else {
        output.append(name[index])
        index += 1
      }
    }
    if output.last == 0x20 { output.removeLast() }
  }
}
