extension MicrosoftParser {
  /// A whole name.
  ///
  ///     <symbol> ::= ? <special name> | ? <qualified name> <encoding>
  ///              ::= ??@ <MD5 sum> @ [??_R4@]
  ///              ::= . <type>                  # in the descriptors of types
  mutating func symbol() throws(NameRefusal) -> ID {
    try enter()
    defer { leave() }
    if take(".") {
      let type = try resultType()
      guard isAtEnd else { throw .damaged }
      return add(.typeDescriptor(of: type, .typeDescriptorName))
    }
    if isNext("??@") { return try hashedName() }
    try expect("?")
    if let special = try special() { return special }
    return try declaration()
  }

  /// A name that was too long: what is left of it is a hash.
  private mutating func hashedName() throws(NameRefusal) -> ID {
    let start = position
    position += 3
    _ = try textBeforeAt()
    _ = takeWord("??_R4@")
    return add(
      .entity(add(.text(Text(start: Int32(start), count: Int32(position - start))))))
  }

  /// - Returns: `nil` where the name is not one of those that start with a code and have an encoding
  ///   of their own.
  private mutating func special() throws(NameRefusal) -> ID? {
    guard isNext("?_") else { return nil }
    switch Unicode.Scalar(byte(ahead: 2)) {
    case "7": return try table(.vftable)
    case "8": return try table(.vbtable)
    case "9": return try virtualCall()
    case "B": return try guardVariable(skipping: 3, ofThread: false)
    case "C": return try stringLiteral()
    case "R": return try typeInformation()
    case "S": return try table(.localVftable)
    case "_": break
    default: return nil
    }
    switch Unicode.Scalar(byte(ahead: 3)) {
    case "E": return try dynamicInitialiser(isDestructor: false)
    case "F": return try dynamicInitialiser(isDestructor: true)
    case "J": return try guardVariable(skipping: 4, ofThread: true)
    default: return nil
    }
  }

  /// <declaration> ::= <qualified name> <encoding>
  private mutating func declaration() throws(NameRefusal) -> ID {
    let (name, leaf) = try qualifiedSymbolName()
    // Clang marks functions for ARM64EC so.
    _ = takeWord("$$h")
    if case .conversion = node(withoutArguments(leaf)) {
      let symbol = try encoding(of: name)
      guard case .function(let index) = node(symbol) else { throw .damaged }
      let result = tree.functions[Int(index)].result
      guard !result.isNone else { throw .damaged }
      replace(withoutArguments(leaf), by: .conversion(to: result))
      return symbol
    }
    return try encoding(of: name)
  }

  func withoutArguments(_ id: ID) -> ID {
    if case .templated(let name, _) = node(id) { return name }
    return id
  }

  ///     <encoding> ::= <storage> <type> <qualifiers> | <function encoding>
  ///     <storage>  ::= 0 | 1 | 2               # private, protected, public static member
  ///                ::= 3                       # global
  ///                ::= 4                       # static in a function
  private mutating func encoding(of name: ID) throws(NameRefusal) -> ID {
    let storage: MicrosoftStorage
    switch Unicode.Scalar(next) {
    case "0": storage = .isPrivate
    case "1": storage = .isProtected
    case "2": storage = .isPublic
    case "3": storage = .global
    case "4": storage = .local
    default: return try function(name)
    }
    position += 1
    let type = try self.type()
    if case .pointer(let kind, let target, let parent, let own) = node(type) {
      replace(
        type, by: .pointer(kind, to: target, parent: parent, own.union(extendedQualifiers())))
      let (qualifiers, _) = try self.qualifiers()
      if !parent.isNone { _ = try qualifiedTypeName() }
      qualify(target, qualifiers)
    } else {
      // Qualifiers of an array's elements stand here once more.
      setQualifiers(of: type, try self.qualifiers().qualifiers)
    }
    return add(.variable(name, type: type, storage))
  }

  /// <function encoding> ::= [$$J0] <kind> <adjustments> <function type>
  mutating func function(_ name: ID) throws(NameRefusal) -> ID {
    let isExternC = takeWord("$$J0")
    var kind = MicrosoftFunctionKind()
    var thunk = MicrosoftThunk.none
    let letter = try self.letter()
    switch letter {
    case UInt8(ascii: "9"): kind = [.externC, .withoutParameters]
    case UInt8(ascii: "A")...UInt8(ascii: "X"):
      // Eight letters for each of private, protected, public; every second one is for far functions.
      let offset = letter - UInt8(ascii: "A")
      kind = [.isPrivate, .isProtected, .isPublic][Int(offset / 8)]
      switch offset % 8 / 2 {
      case 1: kind.insert(.isStatic)
      case 2: kind.insert(.isVirtual)
      case 3:
        // LLVM prints private ones so.
        if offset >= 8 { kind.insert(.isVirtual) }
        thunk = .adjustor(try number32())
      default: break
      }
    case UInt8(ascii: "Y"), UInt8(ascii: "Z"): kind = .global
    case UInt8(ascii: "$"):
      let isExtended = take("R")
      let digit = try self.letter() &- UInt8(ascii: "0")
      guard digit < 6 else { throw .damaged }
      kind = [.isPrivate, .isProtected, .isPublic][Int(digit / 2)]
      kind.insert(.isVirtual)
      thunk =
        isExtended
        ? .extendedDisplacement(try number32(), try number32(), try number32(), try number32())
        : .displacement(try number32(), try number32())
    default: throw .damaged
    }
    if isExternC { kind.insert(.externC) }
    var function = MicrosoftFunction()
    if !kind.contains(.withoutParameters) {
      function = try functionType(
        isMember: kind.isDisjoint(with: [.global, .isStatic]))
    }
    function.name = name
    function.kind = kind
    function.thunk = thunk
    return add(function, isType: false)
  }

  // MARK: Special names

  ///     <table> ::= ?_7 <scopes> <6 or 7> <qualifiers> <base>* @
  private mutating func table(_ word: MicrosoftWord) throws(NameRefusal) -> ID {
    position += word == .completeObjectLocator ? 4 : 3
    let name = try scopes(around: add(.word(word)))
    guard take("6") || take("7") else { throw .damaged }
    let (qualifiers, _) = try self.qualifiers()
    let mark = self.mark
    while !take("@") { append(try qualifiedTypeName()) }
    return add(.table(name, bases: list(from: mark), qualifiers))
  }

  /// A thunk that calls the virtual function at an offset: what a pointer to it holds.
  ///
  ///     ?_9 <scopes> $B <offset> A <convention>
  private mutating func virtualCall() throws(NameRefusal) -> ID {
    position += 3
    let leaf = add(.virtualCall(offset: 0))
    let name = try scopes(around: leaf)
    _ = takeWord("$$h")
    guard takeWord("$B") else { throw .damaged }
    replace(leaf, by: .virtualCall(offset: try unsigned()))
    try expect("A")
    var function = MicrosoftFunction()
    function.name = name
    function.kind = .withoutParameters
    function.thunk = .virtualCall
    function.convention = MicrosoftConvention(code: try letter())
    return add(function, isType: false)
  }

  private mutating func guardVariable(
    skipping count: Int, ofThread: Bool
  ) throws(NameRefusal) -> ID {
    position += count
    let leaf = add(.guardVariable(ofThread: ofThread, index: 0))
    let name = try scopes(around: leaf)
    guard takeWord("4IA") || take("5") else { throw .damaged }
    if !isAtEnd, next != UInt8(ascii: ".") {
      replace(leaf, by: .guardVariable(ofThread: ofThread, index: try unsigned()))
    }
    return add(.entity(name))
  }

  private mutating func typeInformation() throws(NameRefusal) -> ID? {
    switch Unicode.Scalar(byte(ahead: 3)) {
    case "0":
      position += 4
      let type = try resultType()
      guard takeWord("@8") else { throw .damaged }
      return add(.typeDescriptor(of: type, .typeDescriptor))
    case "1":
      position += 4
      let mark = self.mark
      for index in 0..<4 {
        if index == 1 {
          let value = try signed()
          append(add(.number(value.magnitude, isNegative: value < 0)))
        } else {
          append(add(.number(try unsigned(), isNegative: false)))
        }
      }
      let leaf = add(.baseClass(list(from: mark)))
      let name = try scopes(around: leaf)
      _ = take("8")
      return add(.entity(name))
    case "2": return try untyped(.baseClassArray)
    case "3": return try untyped(.classHierarchyDescriptor)
    case "4": return try table(.completeObjectLocator)
    default: throw .damaged
    }
  }

  private mutating func untyped(_ word: MicrosoftWord) throws(NameRefusal) -> ID {
    position += 4
    let name = try scopes(around: add(.word(word)))
    try expect("8")
    return add(.entity(name))
  }

  /// Code that runs before `main` or after it, for one variable. Older versions of Clang left out a
  /// question mark and an at sign.
  ///
  ///     ?__E <qualified name> <function encoding>
  ///     ?__E [?] <qualified name> <variable encoding> @ [@] <function encoding>
  private mutating func dynamicInitialiser(isDestructor: Bool) throws(NameRefusal) -> ID {
    position += 4
    let isMember = take("?")
    let symbol = try declaration()
    switch node(symbol) {
    case .variable:
      try expect("@")
      if isMember { try expect("@") }
      return try function(add(.dynamicInitialiser(of: symbol, isDestructor: isDestructor)))
    case .function(let index):
      guard !isMember else { throw .damaged }
      let name = tree.functions[Int(index)].name
      tree.functions[Int(index)].name = add(
        .dynamicInitialiser(of: name, isDestructor: isDestructor))
      return symbol
    default: throw .damaged
    }
  }
}
