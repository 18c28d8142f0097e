extension MicrosoftParser {
  ///     <type> ::= <tagged> | <pointer> | <array> | <function> | <custom> | <primitive>
  mutating func type() throws(NameRefusal) -> ID {
    try enter()
    defer { leave() }
    switch Unicode.Scalar(next) {
    case "T", "U", "V", "W": return try taggedType()
    case "A", "P", "Q", "R", "S": return try pointerType()
    case "Y": return try arrayType()
    case "?":
      position += 1
      let name = try unqualifiedTypeName()
      try expect("@")
      return add(.custom(name))
    case "$":
      if isNext("$$Q") || isNext("$$R") { return try pointerType() }
      if takeWord("$$A8@@") { return add(try functionType(isMember: true), isType: true) }
      if takeWord("$$A6") { return add(try functionType(isMember: false), isType: true) }
      if takeWord("$$T") { return add(.primitive(.nullptr, [])) }
      throw .damaged
    case "_":
      position += 1
      guard let primitive = MicrosoftPrimitive(extendedCode: try letter()) else {
        throw .damaged
      }
      return add(.primitive(primitive, []))
    default:
      guard let primitive = MicrosoftPrimitive(code: try letter()) else { throw .damaged }
      return add(.primitive(primitive, []))
    }
  }

  /// A type with its qualifiers before it.
  mutating func qualifiedType() throws(NameRefusal) -> ID {
    let (qualifiers, _) = try self.qualifiers()
    let type = try self.type()
    qualify(type, qualifiers)
    return type
  }

  /// The type of what a function returns: qualifiers follow a question mark.
  mutating func resultType() throws(NameRefusal) -> ID {
    take("?") ? try qualifiedType() : try type()
  }

  // MARK: Qualifiers

  ///     <qualifiers> ::= A | B | C | D         # none, const, volatile, both
  ///                  ::= Q | R | S | T         # the same of a member
  mutating func qualifiers() throws(NameRefusal) -> (
    qualifiers: MicrosoftQualifiers, isMember: Bool
  ) {
    let letter = try self.letter()
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "D"):
      return (MicrosoftQualifiers(rawValue: letter - UInt8(ascii: "A")), false)
    case UInt8(ascii: "Q")...UInt8(ascii: "T"):
      return (MicrosoftQualifiers(rawValue: letter - UInt8(ascii: "Q")), true)
    default: throw .damaged
    }
  }

  /// `E` for pointers of 64 bits, which all are or none, `I` for `__restrict`, `F` for `__unaligned`.
  mutating func extendedQualifiers() -> MicrosoftQualifiers {
    var qualifiers: MicrosoftQualifiers = []
    _ = take("E")
    if take("I") { qualifiers.insert(.restrict) }
    if take("F") { qualifiers.insert(.unaligned) }
    return qualifiers
  }

  mutating func qualify(_ type: ID, _ qualifiers: MicrosoftQualifiers) {
    if !qualifiers.isEmpty {
      changeQualifiers(of: type) { old in old.union(qualifiers) }
    }
  }

  mutating func setQualifiers(of type: ID, _ qualifiers: MicrosoftQualifiers) {
    changeQualifiers(of: type) { _ in qualifiers }
  }

  private mutating func changeQualifiers(
    of type: ID, _ change: (MicrosoftQualifiers) -> MicrosoftQualifiers
  ) {
    switch node(type) {
    case .primitive(let primitive, let old): replace(type, by: .primitive(primitive, change(old)))
    case .tagged(let tag, let name, let old):
      replace(type, by: .tagged(tag, name: name, change(old)))
    case .pointer(let kind, let target, let parent, let old):
      replace(type, by: .pointer(kind, to: target, parent: parent, change(old)))
    case .array(let element, let dimensions, let old):
      replace(type, by: .array(of: element, dimensions: dimensions, change(old)))
    case .functionType(let index):
      tree.functions[Int(index)].qualifiers = change(tree.functions[Int(index)].qualifiers)
    default: break
    }
  }

  // MARK: Types

  ///     <tagged> ::= <T, U, V or W4> <qualified name>
  private mutating func taggedType() throws(NameRefusal) -> ID {
    let tag: MicrosoftTag
    switch Unicode.Scalar(try letter()) {
    case "T": tag = .union
    case "U": tag = .struct
    case "V": tag = .class
    default:
      tag = .enum
      try expect("4")
    }
    return add(.tagged(tag, name: try qualifiedTypeName(), []))
  }

  ///     <pointer> ::= <kind> 6 <function type>
  ///               ::= <kind> [E] [I] [F] <qualifiers> <type>
  ///               ::= <kind> [E] 8 <class> <function type>
  ///               ::= <kind> [E] [I] [F] <member qualifiers> <class> <type>
  ///     <kind>    ::= P | Q | R | S            # pointer; const, volatile, both
  ///               ::= A                        # reference
  ///               ::= $$Q | $$R                # rvalue reference; volatile
  private mutating func pointerType() throws(NameRefusal) -> ID {
    var kind = MicrosoftPointer.pointer
    var own: MicrosoftQualifiers = []
    if takeWord("$$Q") {
      kind = .rvalueReference
    } else if takeWord("$$R") {
      kind = .rvalueReference
      own = .volatile
    } else {
      let letter = try self.letter()
      if letter == UInt8(ascii: "A") {
        kind = .reference
      } else {
        own = MicrosoftQualifiers(rawValue: letter - UInt8(ascii: "P"))
      }
    }
    if take("6") {
      let target = add(try functionType(isMember: false), isType: true)
      return add(.pointer(kind, to: target, parent: .none, own))
    }
    own.formUnion(extendedQualifiers())
    if take("8") {
      guard kind == .pointer else { throw .damaged }
      let parent = try qualifiedTypeName()
      let target = add(try functionType(isMember: true), isType: true)
      return add(.pointer(kind, to: target, parent: parent, own))
    }
    let (qualifiers, isMember) = try self.qualifiers()
    var parent = ID.none
    if isMember {
      guard kind == .pointer else { throw .damaged }
      parent = try qualifiedTypeName()
    }
    let target = try type()
    if isMember {
      setQualifiers(of: target, qualifiers)
    } else {
      qualify(target, qualifiers)
    }
    return add(.pointer(kind, to: target, parent: parent, own))
  }

  ///     <array> ::= Y <rank> <dimension>+ [$$C <qualifiers>] <type>
  private mutating func arrayType() throws(NameRefusal) -> ID {
    position += 1
    let rank = try unsigned()
    // Each dimension takes a byte.
    guard rank > 0, rank <= UInt64(end - position) else { throw .damaged }
    let mark = self.mark
    for _ in 0..<rank { append(add(.number(try unsigned(), isNegative: false))) }
    let dimensions = list(from: mark)
    var own: MicrosoftQualifiers = []
    if takeWord("$$C") {
      let (qualifiers, isMember) = try qualifiers()
      guard !isMember else { throw .damaged }
      own = qualifiers
    }
    return add(.array(of: try type(), dimensions: dimensions, own))
  }

  ///     <function type> ::= [<this>] <convention> <result> <parameters> <exceptions>
  ///     <this>          ::= [E] [I] [F] [G | H] <qualifiers>
  ///     <result>        ::= @ | <type>
  ///     <exceptions>    ::= Z | _E             # any; noexcept
  mutating func functionType(isMember: Bool) throws(NameRefusal) -> MicrosoftFunction {
    var function = MicrosoftFunction()
    if isMember {
      function.qualifiers = extendedQualifiers()
      if take("G") {
        function.reference = .lvalue
      } else if take("H") {
        function.reference = .rvalue
      }
      function.qualifiers.formUnion(try qualifiers().qualifiers)
    }
    function.convention = MicrosoftConvention(code: try letter())
    if !take("@") { function.result = try resultType() }
    (function.parameters, function.isVariadic) = try parameters()
    if takeWord("_E") {
      function.isNoexcept = true
    } else {
      try expect("Z")
    }
    return function
  }

  ///     <parameters> ::= X | <type>* @ | <type>* Z   # void; an ellipsis
  private mutating func parameters() throws(NameRefusal) -> (List?, isVariadic: Bool) {
    if take("X") { return (nil, false) }
    let mark = self.mark
    while true {
      if take("@") { return (list(from: mark), false) }
      if take("Z") { return (list(from: mark), true) }
      if Self.isDigit(next) {
        guard let type = references.type(Int(next - UInt8(ascii: "0"))) else { throw .damaged }
        position += 1
        append(type)
        continue
      }
      let start = position
      let type = try type()
      append(type)
      if position - start > 1 { references.remember(type: type) }
    }
  }
}
