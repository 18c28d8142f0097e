extension ItaniumParser {
  ///     <type> ::= <builtin-type> | <qualified-type> | <function-type> | <class-enum-type>
  ///            ::= <array-type> | <vector-type> | <pointer-to-member-type> | <decltype>
  ///            ::= <template-param> | <template-template-param> <template-args>
  ///            ::= P <type> | R <type> | O <type>      # pointer, & and &&
  ///            ::= C <type> | G <type>                 # complex, imaginary
  ///            ::= Dp <type>                           # pack expansion
  ///            ::= <substitution>
  ///
  /// Everything but a built-in type and a substitution becomes a candidate for substitutions.
  mutating func type() throws(NameRefusal) -> ID {
    if let word = Self.builtin(next) {
      position += 1
      return add(.word(word))
    }
    try enter()
    defer { leave() }
    let result: ID
    switch next {
    case UInt8(ascii: "r"), UInt8(ascii: "V"), UInt8(ascii: "K"):
      result = qualifiesFunction ? try functionType() : try qualifiedType()
    case UInt8(ascii: "U"): result = try qualifiedType()
    case UInt8(ascii: "u"): result = try vendorType()
    case UInt8(ascii: "F"): result = try functionType()
    case UInt8(ascii: "A"): result = try arrayType()
    case UInt8(ascii: "M"):
      position += 1
      let type = try type()
      result = add(.memberPointer(ofClass: type, member: try self.type()))
    case UInt8(ascii: "P"):
      position += 1
      result = add(.pointer(try type()))
    case UInt8(ascii: "R"):
      position += 1
      result = add(.reference(try type(), isRvalue: false))
    case UInt8(ascii: "O"):
      position += 1
      result = add(.reference(try type(), isRvalue: true))
    case UInt8(ascii: "C"):
      position += 1
      result = add(.followed(try type(), by: .complex))
    case UInt8(ascii: "G"):
      position += 1
      result = add(.followed(try type(), by: .imaginary))
    case UInt8(ascii: "D"):
      if let word = Self.extendedBuiltin(byte(ahead: 1)) {
        position += 2
        return add(.word(word))
      }
      let isNew = isSubstitutable(byte(ahead: 1))
      result = try extendedType()
      guard isNew else { return result }
    case UInt8(ascii: "T"):
      if let word = Self.elaboration(byte(ahead: 1)) {
        position += 2
        result = add(.elaborated(word, try name()))
      } else {
        result = try parameterType()
      }
    case UInt8(ascii: "S") where byte(ahead: 1) != UInt8(ascii: "t"):
      var isSubstitution = false
      var state: ItaniumNameState?
      let template = try unscopedName(&state, isSubstitution: &isSubstitution)
      if next == UInt8(ascii: "I"), !isSubstitution || takesTemplateArguments {
        if !isSubstitution { substitutions.append(template) }
        result = add(.templated(template, arguments: try templateArguments()))
      } else if isSubstitution {
        return template
      } else {
        result = template
      }
    default: result = try name()
    }
    substitutions.append(result)
    return result
  }

  ///     <builtin-type> ::= v | w | b | ... | z
  private static func builtin(_ letter: UInt8) -> ItaniumWord? {
    switch letter {
    case UInt8(ascii: "v"): .void
    case UInt8(ascii: "w"): .wchar
    case UInt8(ascii: "b"): .bool
    case UInt8(ascii: "c"): .char
    case UInt8(ascii: "a"): .signedChar
    case UInt8(ascii: "h"): .unsignedChar
    case UInt8(ascii: "s"): .short
    case UInt8(ascii: "t"): .unsignedShort
    case UInt8(ascii: "i"): .int
    case UInt8(ascii: "j"): .unsignedInt
    case UInt8(ascii: "l"): .long
    case UInt8(ascii: "m"): .unsignedLong
    case UInt8(ascii: "x"): .longLong
    case UInt8(ascii: "y"): .unsignedLongLong
    case UInt8(ascii: "n"): .int128
    case UInt8(ascii: "o"): .unsignedInt128
    case UInt8(ascii: "f"): .float
    case UInt8(ascii: "d"): .double
    case UInt8(ascii: "e"): .longDouble
    case UInt8(ascii: "g"): .float128
    case UInt8(ascii: "z"): .ellipsis
    default: nil
    }
  }

  ///     <builtin-type> ::= Dd | De | Df | Dh | Di | Ds | Du | Da | Dc | Dn
  private static func extendedBuiltin(_ letter: UInt8) -> ItaniumWord? {
    switch letter {
    case UInt8(ascii: "d"): .decimal64
    case UInt8(ascii: "e"): .decimal128
    case UInt8(ascii: "f"): .decimal32
    case UInt8(ascii: "h"): .half
    case UInt8(ascii: "i"): .char32
    case UInt8(ascii: "s"): .char16
    case UInt8(ascii: "u"): .char8
    case UInt8(ascii: "a"): .auto
    case UInt8(ascii: "c"): .decltypeAuto
    case UInt8(ascii: "n"): .nullptrType
    default: nil
    }
  }

  ///     <class-enum-type> ::= <name> | Ts <name> | Tu <name> | Te <name>
  private static func elaboration(_ letter: UInt8) -> ItaniumWord? {
    switch letter {
    case UInt8(ascii: "s"): .struct_
    case UInt8(ascii: "u"): .union_
    case UInt8(ascii: "e"): .enum_
    default: nil
    }
  }

  /// Whether a type that starts with `D` and `letter` is a candidate for substitutions: `_Float16` and
  /// constrained `auto` count as built in.
  private func isSubstitutable(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "F"), UInt8(ascii: "k"), UInt8(ascii: "K"), UInt8(ascii: "A"),
      UInt8(ascii: "R"), UInt8(ascii: "S"):
      false
    default: true
    }
  }

  ///     <type> ::= <template-param> | <template-template-param> <template-args>
  private mutating func parameterType() throws(NameRefusal) -> ID {
    let parameter = try templateParameter()
    guard takesTemplateArguments, next == UInt8(ascii: "I") else { return parameter }
    substitutions.append(parameter)
    return add(.templated(parameter, arguments: try templateArguments()))
  }

  /// Types whose second letter decides.
  ///
  ///     <type> ::= Dp <type> | <decltype> | <vector-type> | <function-type>
  ///     <builtin-type> ::= DA <length> | DR <length>      # fixed point: _Accum, _Fract
  ///                    ::= DS DA <length> | DS DR <length>   # saturating
  ///                    ::= DF <number> _                  # _FloatN
  ///                    ::= DF <number> x                  # _FloatNx
  ///                    ::= DF16b                          # std::bfloat16_t
  ///                    ::= DB <number or expression> _    # _BitInt
  ///                    ::= DU <number or expression> _    # unsigned _BitInt
  ///                    ::= Dk <type-constraint>           # constrained auto
  ///                    ::= DK <type-constraint>           # constrained decltype(auto)
  private mutating func extendedType() throws(NameRefusal) -> ID {
    let letter = byte(ahead: 1)
    switch letter {
    case UInt8(ascii: "t"), UInt8(ascii: "T"): return try decltype()
    case UInt8(ascii: "v"): return try vectorType()
    case UInt8(ascii: "o"), UInt8(ascii: "O"), UInt8(ascii: "w"), UInt8(ascii: "x"):
      return try functionType()
    default: position += 2
    }
    switch letter {
    case UInt8(ascii: "p"): return add(.expansion(try type()))
    case UInt8(ascii: "F"):
      if takeWord("16b") { return add(.word(.bfloat16)) }
      let number = number()
      if number.count > 0, take("x") { return add(.numbered(.floatNx, number)) }
      try expect("_")
      return add(.numbered(.floatN, number))
    case UInt8(ascii: "B"), UInt8(ascii: "U"):
      let size = Self.isDigit(next) ? add(.text(number())) : try expression()
      try expect("_")
      return add(.bitInteger(size, isSigned: letter == UInt8(ascii: "B")))
    case UInt8(ascii: "A"): return try fixedPoint(.accumulator)
    case UInt8(ascii: "R"): return try fixedPoint(.fraction)
    case UInt8(ascii: "S"):
      if take("D", "A") { return add(.elaborated(.saturating, try fixedPoint(.accumulator))) }
      guard take("D", "R") else { throw .damaged }
      return add(.elaborated(.saturating, try fixedPoint(.fraction)))
    case UInt8(ascii: "k"): return add(.followed(try name(), by: .spaceAuto))
    case UInt8(ascii: "K"): return add(.followed(try name(), by: .spaceDecltypeAuto))
    default: throw .damaged
    }
  }

  ///     <length> ::= s | t | i | j | l | m
  private mutating func fixedPoint(_ kind: ItaniumWord) throws(NameRefusal) -> ID {
    let length: ItaniumWord
    switch next {
    case UInt8(ascii: "s"): length = .short
    case UInt8(ascii: "t"): length = .unsignedShort
    case UInt8(ascii: "i"): length = .empty
    case UInt8(ascii: "j"): length = .unsigned
    case UInt8(ascii: "l"): length = .long
    case UInt8(ascii: "m"): length = .unsignedLong
    default: throw .damaged
    }
    position += 1
    let type = add(.word(kind))
    return length == .empty ? type : add(.elaborated(length, type))
  }

  ///     <CV-qualifiers> ::= [r] [V] [K]
  mutating func qualifiers() -> ItaniumQualifiers {
    var qualifiers: ItaniumQualifiers = []
    if take("r") { qualifiers.insert(.restrict) }
    if take("V") { qualifiers.insert(.volatile) }
    if take("K") { qualifiers.insert(.const) }
    return qualifiers
  }

  /// A type with `const` and the like, or with an extension of a compiler.
  ///
  ///     <qualified-type> ::= <extended-qualifier>* <CV-qualifiers> <type>
  ///     <extended-qualifier> ::= U <source-name> [<template-args>]
  ///
  /// An Objective-C protocol is such an extension: `U <length> objcproto <source-name>`.
  private mutating func qualifiedType() throws(NameRefusal) -> ID {
    try enter()
    defer { leave() }
    guard take("U") else {
      let qualifiers = qualifiers()
      let type = try type()
      return qualifiers.isEmpty ? type : add(.qualified(type, qualifiers))
    }
    let text = try identifier()
    if let inner = try protocolName(in: text) {
      return add(.protocolQualified(try qualifiedType(), protocol: inner))
    }
    var qualifier = add(.text(text))
    if next == UInt8(ascii: "I") {
      qualifier = add(.templated(qualifier, arguments: try templateArguments()))
    }
    return add(.vendorQualified(try qualifiedType(), qualifier: qualifier))
  }

  private mutating func protocolName(
    in text: ItaniumNode.Text
  ) throws(NameRefusal) -> ItaniumNode.Text? {
    let after = position
    position = Int(text.start)
    defer { position = after }
    guard takeWord("objcproto") else { return nil }
    let name = try identifier()
    guard position <= after else { throw .damaged }
    return name
  }

  ///     <builtin-type> ::= u <source-name> [I <type> E]   # vendor's, or a type trait
  private mutating func vendorType() throws(NameRefusal) -> ID {
    try expect("u")
    let name = try identifier()
    guard take("I") else { return add(.text(name)) }
    let type = try type()
    try expect("E")
    return add(.transformed(name: name, type))
  }

  ///     <array-type> ::= A <number> _ <element type> | A [<expression>] _ <element type>
  private mutating func arrayType() throws(NameRefusal) -> ID {
    try expect("A")
    var dimension = ID.none
    if Self.isDigit(next) {
      dimension = add(.text(number()))
      try expect("_")
    } else if !take("_") {
      dimension = try expression()
      try expect("_")
    }
    return add(.array(try type(), dimension: dimension))
  }

  ///     <vector-type> ::= Dv <number> _ <element type>
  ///                   ::= Dv [<expression>] _ <element type>
  ///                   ::= Dv <number> _ p                  # AltiVec's pixels
  private mutating func vectorType() throws(NameRefusal) -> ID {
    guard take("D", "v") else { throw .damaged }
    if next >= UInt8(ascii: "1"), next <= UInt8(ascii: "9") {
      let number = number()
      try expect("_")
      if take("p") { return add(.numbered(.pixelVector, number)) }
      let dimension = add(.text(number))
      return add(.vector(try type(), dimension: dimension))
    }
    var dimension = ID.none
    if !take("_") {
      dimension = try expression()
      try expect("_")
    }
    return add(.vector(try type(), dimension: dimension))
  }

  ///     <decltype> ::= Dt <expression> E | DT <expression> E
  mutating func decltype() throws(NameRefusal) -> ID {
    guard take("D", "t") || take("D", "T") else { throw .damaged }
    let value = try expression()
    try expect("E")
    return add(.enclosing(.decltype, value, .primary))
  }

  /// Whether the qualifiers that follow are those of a function.
  private var qualifiesFunction: Bool {
    var offset = 0
    for letter in "rVK".utf8 where byte(ahead: offset) == letter { offset += 1 }
    if byte(ahead: offset) == UInt8(ascii: "F") { return true }
    guard byte(ahead: offset) == UInt8(ascii: "D") else { return false }
    switch byte(ahead: offset + 1) {
    case UInt8(ascii: "o"), UInt8(ascii: "O"), UInt8(ascii: "w"), UInt8(ascii: "x"): return true
    default: return false
    }
  }

  ///     <function-type> ::= [<CV-qualifiers>] [<exception-spec>] [Dx] F [Y]
  ///                         <bare-function-type> [<ref-qualifier>] E
  ///     <exception-spec> ::= Do                   # noexcept
  ///                      ::= DO <expression> E    # noexcept(...)
  ///                      ::= Dw <type>+ E         # throw(...)
  private mutating func functionType() throws(NameRefusal) -> ID {
    var function = ItaniumFunction(qualifiers: qualifiers())
    if take("D", "o") {
      function.exceptions = add(.word(.noexcept))
    } else if take("D", "O") {
      let condition = try expression()
      try expect("E")
      function.exceptions = add(.noexceptIf(condition))
    } else if take("D", "w") {
      let mark = mark
      while !take("E") { append(try type()) }
      function.exceptions = add(.throwing(list(from: mark)))
    }
    _ = take("D", "x")
    try expect("F")
    _ = take("Y")
    function.result = try type()
    let mark = mark
    while !take("E") {
      if take("v") { continue }
      if take("R", "E") {
        function.qualifiers.insert(.lvalue)
        break
      }
      if take("O", "E") {
        function.qualifiers.insert(.rvalue)
        break
      }
      append(try type())
    }
    function.parameters = list(from: mark)
    return add(function, isType: true)
  }
}
