extension ItaniumParser {
  ///     <template-args> ::= I <template-arg>* [Q <constraint-expression>] E
  ///
  /// - Parameter areTagged: Whether these are the arguments of the encoding's name, which `T_` refers to.
  mutating func templateArguments(areTagged: Bool = false) throws(NameRefusal) -> List {
    try expect("I")
    let took = takesTemplateArguments
    takesTemplateArguments = true
    defer { takesTemplateArguments = took }
    if areTagged { templates.restart() }
    let mark = mark
    while !take("E") {
      let argument = try templateArgument()
      append(argument)
      if areTagged {
        if case .argumentPack(let pack) = node(argument) {
          templates.append(add(.parameterPack(pack)))
        } else {
          templates.append(argument)
        }
      }
      // A constraint belongs to the template, and no tool prints it here.
      if take("Q") {
        _ = try constraint()
        try expect("E")
        break
      }
    }
    return list(from: mark)
  }

  ///     <template-arg> ::= <type>
  ///                    ::= X <expression> E
  ///                    ::= <expr-primary>
  ///                    ::= J <template-arg>* E                      # pack
  ///                    ::= I <template-arg>* E                      # pack, by older compilers
  ///                    ::= <template-param-decl> <template-arg>     # of a template with such parameters
  mutating func templateArgument() throws(NameRefusal) -> ID {
    switch next {
    case UInt8(ascii: "X"):
      position += 1
      let value = try expression()
      try expect("E")
      return value
    case UInt8(ascii: "J"), UInt8(ascii: "I"):
      try enter()
      defer { leave() }
      position += 1
      let mark = mark
      while !take("E") { append(try templateArgument()) }
      return add(.argumentPack(list(from: mark)))
    case UInt8(ascii: "L"):
      guard byte(ahead: 1) == UInt8(ascii: "Z") else { return try literal() }
      position += 2
      let encoding = try encoding()
      try expect("E")
      return encoding
    case UInt8(ascii: "T") where startsTemplateParameter:
      try enter()
      defer { leave() }
      _ = try templateParameterDeclaration(isNamed: false)
      return try templateArgument()
    default: return try type()
    }
  }

  ///     <template-param> ::= T_ | T <number> _
  ///                      ::= TL <level number> __ | TL <level number> _ <number> _
  mutating func templateParameter() throws(NameRefusal) -> ID {
    let start = position
    try expect("T")
    var level = 0
    if take("L") {
      level = try count() + 1
      try expect("_")
    }
    let index = try indexAfterUnderscore()
    if isInConstraint {
      // `T_` may refer to the parameters of any enclosing template, which are more than a name shows: `T`,
      // `T0`.
      return add(
        .text(ItaniumNode.Text(start: Int32(start), count: Int32(position - 1 - start))))
    }
    if permitsForwards, level == 0 {
      let id = add(.forward(parameter: Int32(index), target: .none))
      forwards.append(id)
      return id
    }
    if let parameter = templates.parameter(level: level, index: index) { return parameter }
    // Each `auto` of a lambda is a template parameter without a declaration.
    guard level == lambdaLevel, level <= templates.count else { throw .damaged }
    if level == templates.count { templates.pushUnknown() }
    return add(.word(.auto))
  }

  /// Whether a declaration of a template parameter follows, not a use of one.
  var startsTemplateParameter: Bool {
    guard next == UInt8(ascii: "T") else { return false }
    switch byte(ahead: 1) {
    case UInt8(ascii: "y"), UInt8(ascii: "p"), UInt8(ascii: "t"), UInt8(ascii: "n"),
      UInt8(ascii: "k"):
      return true
    default: return false
    }
  }

  ///     <template-param-decl> ::= Ty                                # typename
  ///                           ::= Tk <concept name> [<template-args>]
  ///                           ::= Tn <type>                         # value
  ///                           ::= Tt <template-param-decl>* [Q <constraint-expression>] E
  ///                           ::= Tp <template-param-decl>          # pack
  ///
  /// - Parameter isNamed: Whether `T_` can refer to it, as in a lambda.
  mutating func templateParameterDeclaration(isNamed: Bool) throws(NameRefusal) -> ID {
    try enter()
    defer { leave() }
    if take("T", "y") {
      return add(.typeParameter(inventParameter(.typeParameter, isNamed: isNamed)))
    }
    if take("T", "k") {
      let constraint = try name()
      let name = inventParameter(.typeParameter, isNamed: isNamed)
      return add(.constrainedParameter(constraint: constraint, name: name))
    }
    if take("T", "n") {
      let name = inventParameter(.valueParameter, isNamed: isNamed)
      return add(.valueParameter(name: name, type: try type()))
    }
    if take("T", "p") {
      return add(.packParameter(try templateParameterDeclaration(isNamed: isNamed)))
    }
    guard take("T", "t") else { throw .damaged }
    let name = inventParameter(.templateParameter, isNamed: isNamed)
    let level = templates.count
    templates.push()
    defer { templates.cut(to: level) }
    let mark = mark
    while !take("E") {
      append(try templateParameterDeclaration(isNamed: true))
      if take("Q") {
        _ = try constraint()
        try expect("E")
        break
      }
    }
    return add(.templateParameter(name: name, list(from: mark)))
  }

  /// A name for a parameter whose own name was not mangled: `$T`, `$T0`, `$T1`.
  private mutating func inventParameter(
    _ kind: ItaniumWord, isNamed: Bool
  ) -> ID {
    let number: Int32
    switch kind {
    case .typeParameter:
      number = inventedCounts.type
      inventedCounts.type += 1
    case .valueParameter:
      number = inventedCounts.value
      inventedCounts.value += 1
    default:
      number = inventedCounts.template
      inventedCounts.template += 1
    }
    let id = add(.inventedParameter(kind, number: number))
    if isNamed { templates.append(id) }
    return id
  }

  ///     <constraint-expression> ::= <expression>
  mutating func constraint() throws(NameRefusal) -> ID {
    let outer = isInConstraint
    isInConstraint = true
    defer { isInConstraint = outer }
    return try expression()
  }
}
