extension ItaniumParser {
  /// The operator whose two letters follow.
  mutating func operatorCode() -> ItaniumOperator.Index? {
    guard let index = ItaniumOperator.index(next, byte(ahead: 1)) else { return nil }
    position += 2
    return index
  }

  /// The name of an operator function.
  ///
  ///     <operator-name> ::= aN | aS | ...
  ///                     ::= cv <type>                 # conversion
  ///                     ::= li <source-name>          # operator ""
  ///                     ::= v <digit> <source-name>   # vendor's
  mutating func operatorName(_ state: inout ItaniumNameState?) throws(NameRefusal) -> ID {
    if let index = operatorCode() {
      let operation = ItaniumOperator.all[Int(index)]
      if operation.form == .conversion { return try conversionName(&state) }
      guard operation.isNameable else { throw .damaged }
      return add(.operatorName(index))
    }
    if take("l", "i") { return add(.literalOperator(try sourceName())) }
    try expect("v")
    guard Self.isDigit(next) else { throw .damaged }
    position += 1
    return add(.vendorOperator(try sourceName()))
  }

  mutating func operatorName() throws(NameRefusal) -> ID {
    var state: ItaniumNameState?
    return try operatorName(&state)
  }

  /// The type of a conversion. `I` after a template parameter or a substitution starts the
  /// operator's own arguments; older versions of GCC wrote the type's there, too.
  private mutating func conversionName(
    _ state: inout ItaniumNameState?
  ) throws(NameRefusal) -> ID {
    let (took, permitted) = (takesTemplateArguments, permitsForwards)
    takesTemplateArguments = readsOlderNames
    hasTwoReadings = true
    permitsForwards = permitted || state != nil
    defer { (takesTemplateArguments, permitsForwards) = (took, permitted) }
    let type = try type()
    state?.hasNoResult = true
    return add(.conversion(type))
  }
}
