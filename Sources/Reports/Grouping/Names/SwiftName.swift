/// Names of Swift, demangled in full or in the short form that backtraces print.
struct SwiftName {
  static func normalise(_ name: NameBytes) -> NameBytes {
    var inClosure = false
    var rest = name
    // Each pass removes one wrapping; a name has no more of them than words.
    for _ in 0..<64 {
      if isArtificial(rest) { return rest }
      if let inner = closureContext(rest) {
        inClosure = true
        rest = inner
      } else if let inner = unwrapped(rest) {
        rest = inner
      } else {
        break
      }
    }
    if rest.has("initializer of ") { return rest }
    let declaration = declaration(rest)
    guard !declaration.isEmpty else { return inClosure ? Array("closure".utf8) : name }
    return inClosure ? Array("closure in ".utf8) + declaration : declaration
  }

  // MARK: Telling Swift from the rest

  static func isSwift(_ name: NameBytes) -> Bool {
    if isArtificial(name) { return true }
    if name.find("::") != nil { return name.has("protocol witness for ") }
    for prefix in prefixes where name.has(prefix) { return true }
    if name.has("static ") || name.has("class ") {
      return name.contains(UInt8(ascii: ".")) || isLabelled(name)
    }
    if name.has("closure #") || name.has("implicit closure #") || name.has("autoclosure #") {
      return true
    }
    if name.at(0) == UInt8(ascii: "("), name.find("resume partial function for ") != nil {
      return true
    }
    if name.has("(extension in ") { return true }
    if name.find(") -> ") != nil || name.find(") throws") != nil || name.find(") async") != nil {
      return true
    }
    if name.find("(in _") != nil || name.find(" in _") != nil { return true }
    let hasType = name.find(" : ") != nil
    for ending: StaticString in [
      "getter", "setter", "modify", "read", "deinit", "__deallocating_deinit", "willset", "didset",
      "unsafeMutableAddressor",
      "unsafeAddressor", "_modify", "_read", "__allocating_init", "yielding_mutate",
      "yielding_borrow",
    ] {
      guard hasType || name.ends(with: ending), let position = name.find(ending),
        name.at(position - 1) == UInt8(ascii: ".")
          || (position > 2 && name.has(".__", at: position - 3))
      else { continue }
      let next = name.at(position + ending.utf8CodeUnitCount)
      if next == 0 || name.has(" : ", at: position + ending.utf8CodeUnitCount) { return true }
    }
    return isLabelled(name)
  }

  /// `load(from:retry:)`, `load(from: URL, retry: Int)`, and `Cart.total()` or `Shelf<>.total()`,
  /// which only Swift writes with a full stop and without arguments.
  private static func isLabelled(_ name: NameBytes) -> Bool {
    guard let open = name.firstIndex(of: UInt8(ascii: "(")), open > 0 else { return false }
    if name.at(open + 1) == UInt8(ascii: ")") {
      var index = 0
      while index < open, name[index].isIdentifier || name[index] == UInt8(ascii: ".") {
        index += name.has("<>.", at: index + 1) ? 3 : 1
      }
      return open + 2 == name.count && index == open && name[..<open].contains(UInt8(ascii: "."))
    }
    var index = open + 1
    while name.at(index).isIdentifier { index += 1 }
    return index > open + 1 && name.at(index) == UInt8(ascii: ":")
      && name.at(index + 1) != UInt8(ascii: ":") && !name.at(index + 1).isDigit
  }

  private static let prefixes: [StaticString] = [
    "@objc ", "@nonobjc ", "@escaping ", "merged ", "specialized ", "generic ",
    "function signature ",
    "partial apply", "protocol witness for ", "dispatch thunk of ", "vtable thunk for ",
    "variable initialization expression of ", "default argument ", "async function pointer to ",
    "one-time initialization ", "method lookup function for ", "property wrapper ", "key path ",
    "curry thunk of ", "distributed thunk ", "back deployment ", "lazy ",
  ]

  /// Functions that the compiler generated: only their first words are kept.
  private static let artificial: [StaticString] = [
    "reabstraction thunk", "outlined ", "value witness", "type metadata", "Swift runtime failure: ",
    "thunk for ", "block_copy_helper", "block_destroy_helper", "objectdestroy", "metadata ",
    "associated type", "protocol descriptor", "witness table", "lazy protocol witness",
    "lazy cache variable", "destroy for ", "assignWithCopy for", "initializeWithCopy for",
    "initializeBufferWithCopyOfBuffer for", "implicit conversion", "getEnumTag", "storeEnumTag",
    "coroutine continuation", "autodiff",
  ]

  static func isArtificial(_ name: NameBytes) -> Bool {
    switch name.at(0) {
    case UInt8(ascii: "r"), UInt8(ascii: "o"), UInt8(ascii: "v"), UInt8(ascii: "t"),
      UInt8(ascii: "S"),
      UInt8(ascii: "b"), UInt8(ascii: "m"), UInt8(ascii: "a"), UInt8(ascii: "p"), UInt8(ascii: "w"),
      UInt8(ascii: "l"), UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "g"), UInt8(ascii: "s"),
      UInt8(ascii: "c"), UInt8(ascii: "h"):
      artificial.contains { name.has($0) }
    default: false
    }
  }

  // MARK: Wrappings

  /// The function that contains a closure: `closure #1 (Int) -> () in X`.
  private static func closureContext(_ name: NameBytes) -> NameBytes? {
    guard name.has("closure") || name.has("implicit closure") || name.has("autoclosure") else {
      return nil
    }
    if name.has("closure in ") { return name.from(11) }
    guard let number = name.find("closure #") else { return nil }
    var index = name.digitsEnd(number + 9)
    guard index > number + 9 else { return nil }
    if let position = topLevel(name, " in ", from: index) { return name.from(position + 4) }
    index = name.count
    return []
  }

  /// The name without one wrapping, or `nil` when it has none.
  private static func unwrapped(_ name: NameBytes) -> NameBytes? {
    for prefix: StaticString in [
      "@objc ", "@nonobjc ", "static ", "class ", "merged ", "specialized ", "dispatch thunk of ",
      "partial apply forwarder for ", "partial apply for ", "async function pointer to ",
      "method lookup function for ", "curry thunk of ", "distributed thunk ", "async thunk for ",
      "back deployment thunk for ", "back deployment fallback for ",
      "one-time initialization function for ",
      "property wrapper backing initializer of ", "property wrapper init from projected value of ",
    ] where name.has(prefix) { return name.from(prefix.utf8CodeUnitCount) }
    if name.has("partial apply"), let position = name.find(" of ") ?? name.find(" for ") {
      return name.from(name.has(" of ", at: position) ? position + 4 : position + 5)
    }
    if name.has("generic ") || name.has("function signature ") {
      // `<Arg[0] = [Closure Propagated : $s3app1fyyF, Argument Types : [app.Cart]> of`: the demangler leaves
      // brackets open in the list of closures.
      guard let position = topLevel(name, " of ", from: 0) ?? name.find("> of ").map({ $0 + 1 })
      else {
        return nil
      }
      return name.from(position + 4)
    }
    if name.at(0) == UInt8(ascii: "("), let position = name.find("resume partial function for "),
      name.digitsEnd(1) > 1
    {
      return name.from(position + 28)
    }
    if name.has("default argument "), let position = name.find(" of ") {
      return name.from(position + 4)
    }
    if name.has("vtable thunk for "), let position = topLevel(name, " dispatching to ", from: 0) {
      return name.from(position + 16)
    }
    let initial: StaticString = "variable initialization expression of "
    if name.has(initial) {
      var inner = name.from(initial.utf8CodeUnitCount)
      while let next = unwrapped(inner) { inner = next }
      return Array("initializer of ".utf8) + declaration(inner)
    }
    let witness: StaticString = "protocol witness for "
    if name.has(witness) { return implementation(name.from(witness.utf8CodeUnitCount)) }
    let suffix: StaticString = " with unmangled suffix "
    if let position = name.findLast(suffix), position > 0 { return Array(name[..<position]) }
    return nil
  }

  /// `Shape.area() -> Double in conformance Circle : Shape in MyApp` is `Circle.area()`.
  private static func implementation(_ name: NameBytes) -> NameBytes {
    guard let position = name.find(" in conformance ") else { return name }
    var requirement = Array(name[..<position])
    if requirement.has("static ") { requirement = requirement.from(7) }
    let member = declaration(requirement)
    var type = name.from(position + 16)
    if let end = topLevel(type, " : ", from: 0) { type.cut(at: end) }
    // The member's own name is what follows the last full stop before its parameters, but an
    // accessor and its property belong together.
    var end = member.firstIndex(of: UInt8(ascii: "(")) ?? member.count
    for accessor: StaticString in [".getter", ".setter", ".modify", ".read"]
    where member.ends(with: accessor) { end = member.count - accessor.utf8CodeUnitCount }
    let start =
      operatorStart(member, before: end) ?? member[..<end].lastIndex(of: UInt8(ascii: ".")).map {
        $0 + 1
      } ?? 0
    return collapsed(type) + [UInt8(ascii: ".")] + member[start...]
  }

  /// Where the operator begins that ends before `end`, as in `Comparable...<`: an operator may have
  /// full stops itself.
  private static func operatorStart(_ member: NameBytes, before end: Int) -> Int? {
    guard isOperatorMark(member.at(end - 1)),
      let last = member[..<end].lastIndex(where: { $0.isIdentifier }),
      member.at(last + 1) == UInt8(ascii: ".")
    else { return nil }
    return last + 2
  }

  // MARK: The declaration itself

  /// The first index of `text` at or after `start` outside all brackets.
  static func topLevel(_ name: NameBytes, _ text: StaticString, from start: Int) -> Int? {
    var depth = 0
    var index = start
    while index < name.count {
      let byte = name[index]
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">"): if name.at(index - 1) != UInt8(ascii: "-") { depth -= 1 }
      default: if depth == 0, name.has(text, at: index) { return index }
      }
      index += 1
    }
    return nil
  }

  /// `load(from: URL, retry: Int) throws -> Bool` as `load(from:retry:)`, `items.getter : [Item]`
  /// as `items.getter`.
  private static func declaration(_ name: NameBytes) -> NameBytes {
    var (output, index) = extensionModule(name)
    let isExtension = index > 0
    let start = index
    while index < name.count {
      let byte = name[index]
      if index == start || output.last == UInt8(ascii: "."),
        let end = operatorEnd(name, from: index)
      {
        output.append(contentsOf: name[index..<end])
        index = end
        continue
      }
      switch byte {
      case UInt8(ascii: "("):
        guard let end = Brackets.end(of: name, from: index) else { return name }
        if let position = privateName(name, from: index, to: end) {
          // `(Helper in _8A9B…)`.
          output.append(contentsOf: name[(index + 1)..<position])
          index = end
          continue
        }
        if output.isEmpty && !isExtension && index == start { return name }
        output.append(contentsOf: labels(name, from: index, to: end))
        // A member of what the function holds, such as a local type.
        guard name.at(end) == UInt8(ascii: ".") else { return local(name, after: end, output) }
        index = end
      case UInt8(ascii: "<"):
        guard let end = Brackets.end(of: name, from: index) else { return name }
        if end < name.count || index > 0 { output.append("<T>") }
        index = end
      case UInt8(ascii: " "):
        if name.has(" infix", at: index) || name.has(" prefix", at: index)
          || name.has(" postfix", at: index)
        {
          index += 1
          while name.at(index).isLetter { index += 1 }
          // The operator's own parameters of types.
          if name.at(index) == UInt8(ascii: "<") {
            index = Brackets.end(of: name, from: index) ?? name.count
          }
          continue
        }
        if name.has(" #", at: index) {
          // A local function: `helper #1 (Int) -> Int in run()`.
          let end = name.digitsEnd(index + 2)
          index = name.at(end) == 0x20 ? end + 1 : end
          continue
        }
        return local(name, after: index, output)
      default:
        if byte == UInt8(ascii: "_"), name.has("__deallocating_deinit", at: index) {
          output.append("deinit")
          index += 21
        } else if byte == UInt8(ascii: "_"), name.has("__allocating_init", at: index) {
          output.append("init")
          index += 17
        } else {
          output.append(byte)
          index += 1
        }
      }
    }
    return output
  }

  /// A local function's surroundings, if the rest of the name gives them.
  private static func local(_ name: NameBytes, after index: Int, _ output: NameBytes) -> NameBytes {
    guard name.find(" #") != nil, let position = topLevel(name, " in ", from: index) else {
      return output
    }
    return output + Array(" in ".utf8) + normalise(name.from(position + 4))
  }

  private static func privateName(_ name: NameBytes, from start: Int, to end: Int) -> Int? {
    var index = start + 1
    while index < end, name[index] != 0x20 { index += 1 }
    return index < end && name.has(" in ", at: index) && index > start + 1 ? index : nil
  }

  /// The end of the operator that is the function's name at `start`: `< infix(Cart, Cart)`,
  /// `<(_:_:)`.
  private static func operatorEnd(_ name: NameBytes, from start: Int) -> Int? {
    var end = start
    while isOperatorMark(name.at(end)) { end += 1 }
    guard end > start else { return nil }
    for next: StaticString in [" infix", " prefix", " postfix", "(_:"]
    where name.has(next, at: end) { return end }
    return nil
  }

  private static func isOperatorMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "!"), UInt8(ascii: "*"), UInt8(ascii: "%"), UInt8(ascii: "<"),
      UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"),
      UInt8(ascii: "~"), UInt8(ascii: "?"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The labels of parameters: `(from: URL, Int)` as `(from:_:)`.
  private static func labels(_ name: NameBytes, from start: Int, to end: Int) -> NameBytes {
    var output: NameBytes = [UInt8(ascii: "(")]
    var index = start + 1
    let close = end - 1
    while index < close {
      if name[index] == 0x20 || name[index] == UInt8(ascii: ",") {
        index += 1
        continue
      }
      var word = index
      while name.at(word).isIdentifier || name.at(word) == UInt8(ascii: "`") { word += 1 }
      if word > index, name.at(word) == UInt8(ascii: ":") {
        output.append(contentsOf: name[index...word])
        index = word + 1
        // The short form has no types: the next label follows at once.
        if name.at(index).isIdentifier { continue }
      } else {
        output.append("_:")
      }
      index = nextParameter(name, from: index, to: close)
    }
    output.append(UInt8(ascii: ")"))
    return output
  }

  private static func nextParameter(_ name: NameBytes, from start: Int, to close: Int) -> Int {
    var depth = 0
    var index = start
    while index < close {
      switch name[index] {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ">"): if name.at(index - 1) != UInt8(ascii: "-") { depth -= 1 }
      case UInt8(ascii: ","): if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return close
  }

  private static func collapsed(_ type: NameBytes) -> NameBytes {
    var output = NameBytes()
    var index = 0
    while index < type.count {
      if type[index] == UInt8(ascii: "<"), let end = Brackets.end(of: type, from: index) {
        output.append("<T>")
        index = end
      } else {
        output.append(type[index])
        index += 1
      }
    }
    return output
  }
}
