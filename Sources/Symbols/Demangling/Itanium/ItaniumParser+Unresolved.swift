/// Names in expressions that a template's arguments will decide.
extension ItaniumParser {
  ///     <unresolved-name> ::= [gs] <base-unresolved-name>
  ///                       ::= sr <unresolved-type> <base-unresolved-name>
  ///                       ::= srN <unresolved-type> <unresolved-qualifier-level>+ E
  ///                           <base-unresolved-name>
  ///                       ::= [gs] sr <unresolved-qualifier-level>+ E <base-unresolved-name>
  ///     <unresolved-qualifier-level> ::= <simple-id>
  ///
  /// Older versions of GCC wrote any class and a member of it: `sr <type> <base-unresolved-name>`.
  mutating func unresolvedName(isGlobal: Bool) throws(NameRefusal) -> ID {
    guard next == UInt8(ascii: "s"), byte(ahead: 1) == UInt8(ascii: "r") else {
      let name = try baseName()
      return isGlobal ? add(.global(name)) : name
    }
    hasTwoReadings = true
    if readsOlderNames {
      _ = take("s", "r")
      let scope = try type()
      return add(.nested(scope, name: try baseName()))
    }
    var scope: ID
    if takeWord("srN") {
      scope = try unresolvedType()
      if next == UInt8(ascii: "I") {
        scope = add(.templated(scope, arguments: try templateArguments()))
      }
      while !take("E") { scope = add(.nested(scope, name: try simpleID())) }
    } else {
      _ = take("s", "r")
      if Self.isDigit(next) {
        scope = try levels(isGlobal: isGlobal)
      } else {
        scope = try unresolvedType()
        if next == UInt8(ascii: "I") {
          scope = add(.templated(scope, arguments: try templateArguments()))
        }
      }
    }
    return add(.nested(scope, name: try baseName()))
  }

  private mutating func levels(isGlobal: Bool) throws(NameRefusal) -> ID {
    var scope = ID.none
    repeat {
      let level = try simpleID()
      if !scope.isNone {
        scope = add(.nested(scope, name: level))
      } else {
        scope = isGlobal ? add(.global(level)) : level
      }
    } while !take("E")
    return scope
  }

  ///     <unresolved-type> ::= <template-param> | <decltype> | <substitution>
  private mutating func unresolvedType() throws(NameRefusal) -> ID {
    switch next {
    case UInt8(ascii: "T"):
      let parameter = try templateParameter()
      substitutions.append(parameter)
      return parameter
    case UInt8(ascii: "D"):
      let type = try decltype()
      substitutions.append(type)
      return type
    default: return try substitution()
    }
  }

  ///     <simple-id> ::= <source-name> [<template-args>]
  private mutating func simpleID() throws(NameRefusal) -> ID {
    let name = try sourceName()
    return next == UInt8(ascii: "I")
      ? add(.templated(name, arguments: try templateArguments())) : name
  }

  ///     <base-unresolved-name> ::= <simple-id>
  ///                            ::= on <operator-name> [<template-args>]
  ///                            ::= dn <destructor-name>
  ///     <destructor-name> ::= <unresolved-type> | <simple-id>
  private mutating func baseName() throws(NameRefusal) -> ID {
    if Self.isDigit(next) { return try simpleID() }
    if take("d", "n") {
      return add(.destructorName(Self.isDigit(next) ? try simpleID() : try unresolvedType()))
    }
    _ = take("o", "n")
    let name = try operatorName()
    return next == UInt8(ascii: "I")
      ? add(.templated(name, arguments: try templateArguments())) : name
  }
}
