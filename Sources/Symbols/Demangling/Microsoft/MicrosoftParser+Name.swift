extension MicrosoftParser {
  /// The name of a function or variable, and its innermost part.
  ///
  ///     <qualified name> ::= <unqualified name> <scope>* @
  mutating func qualifiedSymbolName() throws(NameRefusal) -> (name: ID, leaf: ID) {
    let leaf = try unqualifiedSymbolName()
    let name = try scopes(around: leaf)
    if case .structor(_, let isDestructor) = node(withoutArguments(leaf)) {
      guard case .qualified(let list) = node(name), list.count >= 2 else { throw .damaged }
      replace(
        withoutArguments(leaf),
        by: .structor(of: element(list.count - 2, of: list), isDestructor: isDestructor))
    }
    return (name, leaf)
  }

  mutating func qualifiedTypeName() throws(NameRefusal) -> ID {
    try scopes(around: try unqualifiedTypeName())
  }

  private mutating func unqualifiedSymbolName() throws(NameRefusal) -> ID {
    if Self.isDigit(next) { return try repeatedName() }
    if isNext("?$") { return try template(ofType: false) }
    if take("?") { return try operatorName() }
    return try simpleName()
  }

  mutating func unqualifiedTypeName() throws(NameRefusal) -> ID {
    if Self.isDigit(next) { return try repeatedName() }
    if isNext("?$") { return try template(ofType: true) }
    return try simpleName()
  }

  private mutating func repeatedName() throws(NameRefusal) -> ID {
    guard let name = references.name(Int(next - UInt8(ascii: "0"))) else { throw .damaged }
    position += 1
    if case .templated = node(name) { return add(.repeated(name)) }
    return name
  }

  private mutating func simpleName() throws(NameRefusal) -> ID {
    let text = try textBeforeAt()
    guard text.count > 0 else { throw .damaged }
    let name = add(.text(text))
    references.remember(name: name, text, in: base)
    return name
  }

  /// The scopes of `leaf`, from the inside out.
  mutating func scopes(around leaf: ID) throws(NameRefusal) -> ID {
    let mark = self.mark
    append(leaf)
    while !take("@") { append(try scope()) }
    return add(.qualified(reversedList(from: mark)))
  }

  ///     <scope> ::= <digit> | <template> | <name> @
  ///             ::= ?A <name> @               # an anonymous namespace
  ///             ::= ? <number> ? <symbol>     # a block of a function
  private mutating func scope() throws(NameRefusal) -> ID {
    if Self.isDigit(next) { return try repeatedName() }
    if isNext("?$") { return try template(ofType: true) }
    if takeWord("?A") {
      let text = try textBeforeAt()
      // Another digit than that of a simple name may stand for it, but never for its key.
      let name = add(.word(.anonymousNamespace))
      references.remember(name: add(.text(text)), text, in: base)
      return name
    }
    if next == UInt8(ascii: "?"), isBlock {
      position += 1
      // A number, or `@` alone for 0.
      let (number, _) = try number()
      try expect("?")
      return add(.localScope(of: try symbol(), number: number))
    }
    return try simpleName()
  }

  /// Whether a number and a question mark follow the question mark that is next. The first digit of
  /// several is not `A`, which stands for an anonymous namespace.
  private var isBlock: Bool {
    var ahead = 1
    if Self.isDigit(byte(ahead: 1)) || byte(ahead: 1) == UInt8(ascii: "@") {
      ahead = 2
    } else {
      guard byte(ahead: 1) != UInt8(ascii: "A") else { return false }
      while Self.nibble(byte(ahead: ahead)) != nil { ahead += 1 }
      guard ahead > 1, byte(ahead: ahead) == UInt8(ascii: "@") else { return false }
      ahead += 1
    }
    return byte(ahead: ahead) == UInt8(ascii: "?")
  }

  /// A name with arguments, whose digits count from here on.
  ///
  ///     <template> ::= ?$ <unqualified name> <argument>* @
  private mutating func template(ofType: Bool) throws(NameRefusal) -> ID {
    try enter()
    defer { leave() }
    let start = position
    position += 2
    let outer = references
    references = MicrosoftReferences()
    let name = try unqualifiedSymbolName()
    let arguments = try templateArguments()
    references = outer
    let templated = add(.templated(name, arguments: arguments))
    if ofType {
      switch node(name) {
      case .conversion, .structor: throw .damaged
      default: break
      }
      references.remember(
        name: templated, Text(start: Int32(start), count: Int32(position - start)), in: base)
    }
    return templated
  }

  ///     <operator name> ::= 0 | 1              # constructor, destructor
  ///                     ::= B                  # conversion
  ///                     ::= __K <name> @       # operator ""name
  ///                     ::= [_ | __] <code>
  private mutating func operatorName() throws(NameRefusal) -> ID {
    var group = MicrosoftOperator.Group.basic
    if takeWord("__") {
      group = .doubleUnderscore
    } else if take("_") {
      group = .underscore
    }
    let code = try letter()
    switch (group, Unicode.Scalar(code)) {
    case (.basic, "0"): return add(.structor(of: .none, isDestructor: false))
    case (.basic, "1"): return add(.structor(of: .none, isDestructor: true))
    case (.basic, "B"): return add(.conversion(to: .none))
    case (.doubleUnderscore, "K"):
      let text = try textBeforeAt()
      guard text.count > 0 else { throw .damaged }
      return add(.literalOperator(text))
    default:
      guard let index = MicrosoftOperator.index(of: code, in: group) else { throw .damaged }
      return add(.operatorName(index))
    }
  }
}
