extension ItaniumParser {
  /// Reads a name that is not that of an encoding.
  mutating func name() throws(NameRefusal) -> ID {
    var state: ItaniumNameState?
    return try name(&state)
  }

  mutating func name(_ state: inout ItaniumNameState) throws(NameRefusal) -> ID {
    var optional: ItaniumNameState? = state
    let id = try name(&optional)
    if let optional { state = optional }
    return id
  }

  ///     <name> ::= <nested-name>
  ///            ::= <unscoped-name>
  ///            ::= <unscoped-template-name> <template-args>
  ///            ::= <local-name>
  ///     <unscoped-template-name> ::= <unscoped-name> | <substitution>
  ///
  /// - Parameter state: For the name of an encoding, whose template arguments `T_` refers to.
  mutating func name(_ state: inout ItaniumNameState?) throws(NameRefusal) -> ID {
    try enter()
    defer { leave() }
    switch next {
    case UInt8(ascii: "N"): return try nestedName(&state)
    case UInt8(ascii: "Z"): return try localName(&state)
    default: break
    }
    var isSubstitution = false
    let template = try unscopedName(&state, isSubstitution: &isSubstitution)
    guard next == UInt8(ascii: "I") else {
      guard !isSubstitution else { throw .damaged }
      return template
    }
    if !isSubstitution { substitutions.append(template) }
    let arguments = try templateArguments(areTagged: state != nil)
    state?.endsWithTemplateArguments = true
    return add(.templated(template, arguments: arguments))
  }

  ///     <unscoped-name> ::= <unqualified-name>
  ///                     ::= St <unqualified-name>   # ::std::
  ///
  /// - Parameter isSubstitution: Set to true where the name is just a substitution.
  mutating func unscopedName(
    _ state: inout ItaniumNameState?, isSubstitution: inout Bool
  ) throws(NameRefusal) -> ID {
    let scope = take("S", "t") ? add(.word(.std)) : .none
    var module = ID.none
    if next == UInt8(ascii: "S") {
      let known = try substitution()
      if case .module = node(known) {
        module = known
      } else {
        guard scope.isNone else { throw .damaged }
        isSubstitution = true
        return known
      }
    }
    return try unqualifiedName(&state, scope: scope, module: module)
  }

  /// A name inside classes or namespaces.
  ///
  ///     <nested-name> ::= N [<CV-qualifiers>] [<ref-qualifier>] <prefix> <unqualified-name> E
  ///                   ::= N [<CV-qualifiers>] [<ref-qualifier>] <template-prefix> <template-args> E
  ///                   ::= N H <prefix> <unqualified-name> E    # explicit object parameter
  ///     <prefix> ::= <unqualified-name> | <prefix> <unqualified-name>
  ///              ::= <template-prefix> <template-args>
  ///              ::= <closure-prefix> | <template-param> | <decltype> | <substitution>
  private mutating func nestedName(
    _ state: inout ItaniumNameState?
  ) throws(NameRefusal) -> ID {
    try expect("N")
    if take("H") {
      state?.hasExplicitObject = true
    } else {
      var qualifiers = qualifiers()
      if take("O") {
        qualifiers.insert(.rvalue)
      } else if take("R") {
        qualifiers.insert(.lvalue)
      }
      state?.qualifiers = qualifiers
    }
    var prefix = ID.none
    while !take("E") {
      state?.endsWithTemplateArguments = false
      switch (next, byte(ahead: 1)) {
      case (UInt8(ascii: "T"), _):
        guard prefix.isNone else { throw .damaged }
        prefix = try templateParameter()
      case (UInt8(ascii: "I"), _):
        guard !prefix.isNone else { throw .damaged }
        if case .templated = node(prefix) { throw .damaged }
        let arguments = try templateArguments(areTagged: state != nil)
        prefix = add(.templated(prefix, arguments: arguments))
        state?.endsWithTemplateArguments = true
      case (UInt8(ascii: "D"), UInt8(ascii: "t")), (UInt8(ascii: "D"), UInt8(ascii: "T")):
        guard prefix.isNone else { throw .damaged }
        prefix = try decltype()
      case (UInt8(ascii: "S"), let second):
        let known: ID
        if second == UInt8(ascii: "t") {
          position += 2
          known = add(.word(.std))
        } else {
          known = try substitution()
        }
        if case .module = node(known) {
          prefix = try unqualifiedName(&state, scope: prefix, module: known)
        } else {
          guard prefix.isNone else { throw .damaged }
          prefix = known
          // It is in the table already.
          continue
        }
      default: prefix = try unqualifiedName(&state, scope: prefix, module: .none)
      }
      substitutions.append(prefix)
      // Old compilers put this after the member whose initialiser contains the lambda.
      _ = take("M")
    }
    // The whole name is not a candidate here; where it is a type, the type is.
    guard !prefix.isNone, substitutions.popLast() != nil else { throw .damaged }
    return prefix
  }

  /// A name inside a function.
  ///
  ///     <local-name> ::= Z <function encoding> E <entity name> [<discriminator>]
  ///                  ::= Z <function encoding> E s [<discriminator>]       # string literal
  ///                  ::= Z <function encoding> Ed [<number>] _ <entity name>
  ///
  /// The last form is for the contents of a default argument.
  private mutating func localName(
    _ state: inout ItaniumNameState?
  ) throws(NameRefusal) -> ID {
    try expect("Z")
    let function = try encoding()
    try expect("E")
    if take("s") {
      discriminator()
      return add(.local(function, entity: add(.word(.stringLiteral))))
    }
    let scopes = templates.begin()
    let isInner = state == nil
    // The parameters of a function are yet to come, and may be named after its template's arguments.
    defer { if isInner { templates.end(scopes) } }
    let entity: ID
    if take("d") {
      _ = number(signed: true)
      try expect("_")
      entity = try name(&state)
    } else {
      entity = try name(&state)
      discriminator()
    }
    return add(.local(function, entity: entity))
  }

  /// Skips a discriminator.
  ///
  ///     <discriminator> ::= _ <digit> | __ <number> _
  ///
  /// Digits at the end of the name are a discriminator, too: older compilers wrote these.
  private mutating func discriminator() {
    let start = position
    if take("_") {
      if Self.isDigit(next) {
        position += 1
        return
      }
      if take("_"), number().count > 0, take("_") { return }
      position = start
    } else if number().count > 0, !isAtEnd {
      position = start
    }
  }

  ///     <unqualified-name> ::= <operator-name> [<abi-tags>]
  ///                        ::= <ctor-dtor-name> [<abi-tags>]
  ///                        ::= <source-name> [<abi-tags>]
  ///                        ::= <unnamed-type-name> [<abi-tags>]
  ///                        ::= DC <source-name>+ E         # structured binding
  ///                        ::= L <unqualified-name>        # internal linkage
  ///                        ::= [<module-name>] F <source-name>   # friend defined in its class
  mutating func unqualifiedName(
    _ state: inout ItaniumNameState?, scope: ID, module: ID
  ) throws(NameRefusal) -> ID {
    var (scope, module) = (scope, module)
    if let inner = try moduleNames(after: module) { module = inner }
    let isFriend = !scope.isNone && take("F")
    _ = take("L")
    var name: ID
    switch next {
    case UInt8(ascii: "1")...UInt8(ascii: "9"): name = try sourceName()
    case UInt8(ascii: "U"): name = try unnamedTypeName(&state)
    case UInt8(ascii: "D") where byte(ahead: 1) == UInt8(ascii: "C"):
      position += 2
      let mark = mark
      repeat { append(try sourceName()) } while !take("E")
      name = add(.structuredBinding(list(from: mark)))
    case UInt8(ascii: "C"), UInt8(ascii: "D"):
      guard !scope.isNone, module.isNone else { throw .damaged }
      name = try constructorName(&state, scope: &scope)
    default: name = try operatorName(&state)
    }
    if !module.isNone { name = add(.moduleEntity(name, module: module)) }
    name = try tagged(name)
    if isFriend { return add(.memberLikeFriend(scope, name: name)) }
    return scope.isNone ? name : add(.nested(scope, name: name))
  }

  ///     <module-name> ::= <module-subname> | <module-name> <module-subname>
  ///     <module-subname> ::= W <source-name> | W P <source-name>   # partition
  ///
  /// - Returns: `nil` where none follows.
  mutating func moduleNames(after parent: ID) throws(NameRefusal) -> ID? {
    var module: ID?
    while take("W") {
      let isPartition = take("P")
      let name = try sourceName()
      let whole = add(.module(parent: module ?? parent, name: name, isPartition: isPartition))
      substitutions.append(whole)
      module = whole
    }
    return module
  }

  /// The bytes of an identifier.
  ///
  ///     <source-name> ::= <positive length number> <identifier>
  mutating func identifier() throws(NameRefusal) -> ItaniumNode.Text {
    let length = try count()
    guard length > 0, length <= end - position else { throw .damaged }
    defer { position += length }
    return ItaniumNode.Text(start: Int32(position), count: Int32(length))
  }

  mutating func sourceName() throws(NameRefusal) -> ID {
    let text = try identifier()
    let isAnonymous =
      text.count >= 10 && base[Int(text.start)] == UInt8(ascii: "_")
      && startsAnonymous(text)
    return add(isAnonymous ? .word(.anonymousNamespace) : .text(text))
  }

  private func startsAnonymous(_ text: ItaniumNode.Text) -> Bool {
    let word: StaticString = "_GLOBAL__N"
    return (0..<word.utf8CodeUnitCount).allSatisfy {
      base[Int(text.start) + $0] == word.utf8Start[$0]
    }
  }

  ///     <abi-tags> ::= <abi-tag> [<abi-tags>]
  ///     <abi-tag> ::= B <source-name>
  mutating func tagged(_ name: ID) throws(NameRefusal) -> ID {
    var name = name
    while take("B") { name = add(.tagged(name, tag: try identifier())) }
    return name
  }

  ///     <ctor-dtor-name> ::= C1 | C2 | C3 | C4 | C5
  ///                      ::= CI1 <base class type> | CI2 <base class type>   # inherited
  ///                      ::= D0 | D1 | D2 | D4 | D5
  private mutating func constructorName(
    _ state: inout ItaniumNameState?, scope: inout ID
  ) throws(NameRefusal) -> ID {
    // `std::string::basic_string` would not be a name.
    if case .library(let type) = node(scope) { scope = add(.spelledOut(type)) }
    if take("C") {
      let isInherited = take("I")
      guard next >= UInt8(ascii: "1"), next <= UInt8(ascii: "5") else { throw .damaged }
      position += 1
      state?.hasNoResult = true
      if isInherited { _ = try type() }
      return add(.constructor(ownName(of: scope)))
    }
    try expect("D")
    switch next {
    case UInt8(ascii: "0"), UInt8(ascii: "1"), UInt8(ascii: "2"), UInt8(ascii: "4"),
      UInt8(ascii: "5"):
      position += 1
      state?.hasNoResult = true
      return add(.destructor(ownName(of: scope)))
    default: throw .damaged
    }
  }

  /// The name of a class without its scopes, arguments and tags.
  private func ownName(of id: ID) -> ID {
    var id = id
    while true {
      switch node(id) {
      case .nested(_, let name), .memberLikeFriend(_, let name), .local(_, let name),
        .moduleEntity(let name, _), .tagged(let name, _), .templated(let name, _):
        id = name
      default: return id
      }
    }
  }

  /// Types without a name.
  ///
  ///     <unnamed-type-name> ::= Ut [<number>] _
  ///                         ::= <closure-type-name>
  ///                         ::= Ub [<number>] _              # block
  ///     <closure-type-name> ::= Ul <lambda-sig> E [<number>] _
  ///     <lambda-sig> ::= <template-param-decl>* [Q <constraint>] <parameter type>+ [Q <constraint>]
  mutating func unnamedTypeName(
    _ state: inout ItaniumNameState?
  ) throws(NameRefusal) -> ID {
    if state != nil { templates.cut(to: 0) }
    if take("U", "t") {
      let number = number()
      try expect("_")
      return add(.unnamedType(number))
    }
    if take("U", "l") { return add(.closure(try closure())) }
    guard take("U", "b") else { throw .damaged }
    _ = number()
    try expect("_")
    return add(.word(.blockLiteral))
  }

  mutating func closure() throws(NameRefusal) -> Int32 {
    try enter()
    let outerLevel = lambdaLevel
    let level = templates.count
    lambdaLevel = level
    defer {
      lambdaLevel = outerLevel
      templates.cut(to: level)
      leave()
    }
    var closure = ItaniumClosure()
    templates.push()
    var mark = mark
    while startsTemplateParameter { append(try templateParameterDeclaration(isNamed: true)) }
    closure.templateParameters = list(from: mark)
    if closure.templateParameters.isEmpty { templates.cut(to: level) }
    if take("Q") { closure.firstRequirement = try constraint() }
    if !take("v") {
      mark = self.mark
      repeat { append(try type()) } while next != UInt8(ascii: "E") && next != UInt8(ascii: "Q")
      closure.parameters = list(from: mark)
    }
    if take("Q") { closure.secondRequirement = try constraint() }
    try expect("E")
    closure.number = number()
    try expect("_")
    return add(closure)
  }
}
