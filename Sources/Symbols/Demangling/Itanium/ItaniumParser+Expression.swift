extension ItaniumParser {
  ///     <expression> ::= <operator> <expression>+
  ///                  ::= <template-param> | <function-param> | <expr-primary>
  ///                  ::= <unresolved-name> | <fold-expression> | <requires-expression>
  ///                  ::= il <braced-expression>* E              # { ... }
  ///                  ::= tl <type> <braced-expression>* E       # T{ ... }
  ///                  ::= mc <type> <expression> [<number>] E    # to a pointer to member
  ///                  ::= so <type> <expression> [<number>] <union-selector>* [p] E
  ///                  ::= nx <expression>                        # noexcept(...)
  ///                  ::= sp <expression>                        # pack expansion
  ///                  ::= sZ <template-param> | sZ <function-param> | sP <template-arg>* E
  ///                  ::= tw <expression> | tr                   # throw
  ///                  ::= u <source-name> <template-arg>* E      # vendor's
  mutating func expression() throws(NameRefusal) -> ID {
    try enter()
    defer { leave() }
    let isGlobal = take("g", "s")
    if let index = operatorCode() { return try operation(index, isGlobal: isGlobal) }
    switch (next, byte(ahead: 1)) {
    case (UInt8(ascii: "L"), _): return try literal()
    case (UInt8(ascii: "T"), _): return try templateParameter()
    case (UInt8(ascii: "f"), UInt8(ascii: "p")): return try functionParameter()
    case (UInt8(ascii: "f"), UInt8(ascii: "L")) where Self.isDigit(byte(ahead: 2)):
      return try functionParameter()
    case (UInt8(ascii: "f"), _): return try foldExpression()
    case (UInt8(ascii: "i"), UInt8(ascii: "l")):
      position += 2
      return add(.initialiserList(type: .none, try bracedExpressions()))
    case (UInt8(ascii: "t"), UInt8(ascii: "l")):
      position += 2
      let type = try type()
      return add(.initialiserList(type: type, try bracedExpressions()))
    case (UInt8(ascii: "m"), UInt8(ascii: "c")):
      position += 2
      let type = try type()
      let value = try expression()
      _ = number(signed: true)
      try expect("E")
      return add(.castOfMemberPointer(type: type, value))
    case (UInt8(ascii: "n"), UInt8(ascii: "x")):
      position += 2
      return add(.enclosing(.noexceptOperator, try expression(), .unary))
    case (UInt8(ascii: "s"), UInt8(ascii: "o")):
      position += 2
      return try subobject()
    case (UInt8(ascii: "s"), UInt8(ascii: "p")):
      position += 2
      return add(.expansion(try expression()))
    case (UInt8(ascii: "s"), UInt8(ascii: "Z")):
      position += 2
      if next == UInt8(ascii: "T") { return add(.sizeOfPack(try templateParameter())) }
      return add(.enclosing(.sizeofPack, try functionParameter(), .primary))
    case (UInt8(ascii: "s"), UInt8(ascii: "P")):
      position += 2
      let mark = mark
      while !take("E") { append(try templateArgument()) }
      return add(.enclosing(.sizeofPack, add(.argumentPack(list(from: mark))), .primary))
    case (UInt8(ascii: "t"), UInt8(ascii: "r")):
      position += 2
      return add(.word(.throw_))
    case (UInt8(ascii: "t"), UInt8(ascii: "w")):
      position += 2
      return add(.throwExpression(try expression()))
    case (UInt8(ascii: "r"), UInt8(ascii: "q")), (UInt8(ascii: "r"), UInt8(ascii: "Q")):
      return try requiresExpression()
    case (UInt8(ascii: "u"), _): return try vendorExpression()
    default: return try unresolvedName(isGlobal: isGlobal)
    }
  }

  /// The operands of an operator.
  private mutating func operation(
    _ index: ItaniumOperator.Index, isGlobal: Bool
  ) throws(NameRefusal) -> ID {
    switch ItaniumOperator.all[Int(index)].form {
    case .binary:
      let left = try expression()
      return add(.binary(index, left, try expression()))
    case .prefix: return add(.prefix(index, try expression()))
    case .postfix:
      if take("_") { return add(.prefix(index, try expression())) }
      return add(.postfix(index, try expression()))
    case .subscripted:
      let base = try expression()
      return add(.subscripted(base, try expression()))
    case .member:
      let object = try expression()
      return add(.member(index, object, try expression()))
    case .conditional:
      let condition = try expression()
      let first = try expression()
      return add(.conditional(condition, first, try expression()))
    case .call:
      let function = try expression()
      return add(.call(function, try expressions()))
    case .conversion: return try conversion()
    case .namedCast:
      let type = try type()
      return add(.namedCast(index, type: type, try expression()))
    case .ofType: return enclosing(index, try type())
    case .ofExpression: return enclosing(index, try expression())
    case .new: return try newExpression(allocation(index, isGlobal: isGlobal))
    case .delete:
      return add(.delete(try expression(), allocation(index, isGlobal: isGlobal)))
    case .nameOnly, .unnamed: throw .damaged
    }
  }

  private func allocation(
    _ index: ItaniumOperator.Index, isGlobal: Bool
  ) -> ItaniumAllocation {
    let second = ItaniumOperator.all[Int(index)].code.utf8Start[1]
    var allocation: ItaniumAllocation = second == UInt8(ascii: "a") ? .array : []
    if isGlobal { allocation.insert(.global) }
    return allocation
  }

  private mutating func enclosing(_ index: ItaniumOperator.Index, _ operand: ID) -> ID {
    let operation = ItaniumOperator.all[Int(index)]
    let word: ItaniumWord =
      switch operation.code.utf8Start[0] {
      case UInt8(ascii: "a"): .alignof
      case UInt8(ascii: "s"): .sizeof
      default: .typeid
      }
    return add(.enclosing(word, operand, operation.precedence))
  }

  /// Expressions up to `E`.
  private mutating func expressions() throws(NameRefusal) -> List {
    let mark = mark
    while !take("E") { append(try expression()) }
    return list(from: mark)
  }

  ///     <expression> ::= cv <type> <expression> | cv <type> _ <expression>* E
  private mutating func conversion() throws(NameRefusal) -> ID {
    let took = takesTemplateArguments
    takesTemplateArguments = false
    defer { takesTemplateArguments = took }
    let type = try type()
    takesTemplateArguments = took
    if take("_") { return add(.cast(type: type, try expressions())) }
    let mark = mark
    append(try expression())
    return add(.cast(type: type, list(from: mark)))
  }

  ///     <expression> ::= [gs] nw <expression>* _ <type> E
  ///                  ::= [gs] nw <expression>* _ <type> pi <expression>* E
  ///                  ::= [gs] na ...                               # new[]
  private mutating func newExpression(
    _ allocation: ItaniumAllocation
  ) throws(NameRefusal) -> ID {
    let mark = mark
    while !take("_") { append(try expression()) }
    let placement = list(from: mark)
    let type = try type()
    let hasInitialisers = take("p", "i")
    let initialisers = try expressions()
    guard hasInitialisers || initialisers.isEmpty else { throw .damaged }
    return add(
      .new(
        type: type, placement: placement.isEmpty ? .none : add(.argumentPack(placement)),
        initialisers: initialisers.isEmpty ? .none : add(.argumentPack(initialisers)), allocation))
  }

  ///     <function-param> ::= fp <CV-qualifiers> [<number>] _
  ///                      ::= fL <number> p <CV-qualifiers> [<number>] _
  ///                      ::= fpT                                    # this
  private mutating func functionParameter() throws(NameRefusal) -> ID {
    if takeWord("fpT") { return add(.word(.this)) }
    if !take("f", "p") {
      guard take("f", "L"), number().count > 0, take("p") else { throw .damaged }
    }
    _ = qualifiers()
    let number = number()
    try expect("_")
    return add(.functionParameter(number))
  }

  ///     <fold-expression> ::= fl <operator> <expression>               # (... op pack)
  ///                       ::= fr <operator> <expression>               # (pack op ...)
  ///                       ::= fL <operator> <expression> <expression>  # (init op ... op pack)
  ///                       ::= fR <operator> <expression> <expression>  # (pack op ... op init)
  private mutating func foldExpression() throws(NameRefusal) -> ID {
    try expect("f")
    let isLeft = next | 0x20 == UInt8(ascii: "l")
    let hasInitial = next < UInt8(ascii: "a")
    guard isLeft || next | 0x20 == UInt8(ascii: "r") else { throw .damaged }
    position += 1
    guard let index = operatorCode() else { throw .damaged }
    let operation = ItaniumOperator.all[Int(index)]
    guard operation.form == .binary || operation.precedence == .memberPointer else {
      throw .damaged
    }
    let first = try expression()
    guard hasInitial else { return add(.fold(index, isLeft: isLeft, pack: first, initial: .none)) }
    let second = try expression()
    return add(
      .fold(
        index, isLeft: isLeft, pack: isLeft ? second : first, initial: isLeft ? first : second))
  }

  private mutating func bracedExpressions() throws(NameRefusal) -> List {
    let mark = mark
    while !take("E") { append(try bracedExpression()) }
    return list(from: mark)
  }

  ///     <braced-expression> ::= <expression>
  ///                         ::= di <field source-name> <braced-expression>      # .name = ...
  ///                         ::= dx <index expression> <braced-expression>       # [i] = ...
  ///                         ::= dX <first> <last> <braced-expression>           # [i ... j] = ...
  private mutating func bracedExpression() throws(NameRefusal) -> ID {
    try enter()
    defer { leave() }
    if take("d", "i") {
      let name = try sourceName()
      return add(.fieldInitialiser(name: name, try bracedExpression()))
    }
    if take("d", "x") {
      let index = try expression()
      return add(.indexInitialiser(index, try bracedExpression()))
    }
    if take("d", "X") {
      let first = try expression()
      let last = try expression()
      return add(.rangeInitialiser(first, last, try bracedExpression()))
    }
    return try expression()
  }

  ///     <expression> ::= so <referent type> <expression> [<offset number>] <union-selector>* [p] E
  ///     <union-selector> ::= _ [<number>]
  private mutating func subobject() throws(NameRefusal) -> ID {
    let type = try type()
    let object = try expression()
    let offset = add(.text(number(signed: true)))
    while take("_") { _ = number() }
    _ = take("p")
    try expect("E")
    return add(.subobject(object, type: type, offset: offset))
  }

  ///     <expression> ::= u <source-name> <template-arg>* E
  ///
  /// Clang writes `__uuidof` with a type (`t`) or an expression (`z`) and without the `E`.
  private mutating func vendorExpression() throws(NameRefusal) -> ID {
    try expect("u")
    let start = position
    let name = add(.text(try identifier()))
    let mark = mark
    let after = position
    position = start
    let isUUID = takeWord("8__uuidof")
    position = after
    if isUUID, take("t") {
      append(try type())
    } else if isUUID, take("z") {
      append(try expression())
    } else {
      while !take("E") { append(try templateArgument()) }
    }
    return add(.call(name, list(from: mark)))
  }

  ///     <requires-expression> ::= rQ <bare-function-type> _ <requirement>+ E
  ///                           ::= rq <requirement>+ E
  ///     <requirement> ::= X <expression> [N] [R <type-constraint>]
  ///                   ::= T <type>
  ///                   ::= Q <expression>
  private mutating func requiresExpression() throws(NameRefusal) -> ID {
    var parameters = ID.none
    if take("r", "Q") {
      let mark = mark
      while !take("_") { append(try type()) }
      let list = list(from: mark)
      if !list.isEmpty { parameters = add(.argumentPack(list)) }
    } else {
      guard take("r", "q") else { throw .damaged }
    }
    let mark = mark
    repeat {
      if take("X") {
        let value = try expression()
        let isNoexcept = take("N")
        let constraint = take("R") ? try name() : .none
        append(add(.requirement(value, constraint: constraint, isNoexcept: isNoexcept)))
      } else if take("T") {
        append(add(.typeRequirement(try type())))
      } else if take("Q") {
        append(add(.nestedRequirement(try expression())))
      } else {
        throw .damaged
      }
    } while !take("E")
    return add(.requires(parameters: parameters, list(from: mark)))
  }
}
