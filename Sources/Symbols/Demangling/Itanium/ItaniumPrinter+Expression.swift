extension ItaniumPrinter {
  /// Prints an operand, in brackets where it binds no tighter than the enclosing expression.
  mutating func operand(
    _ id: ID, _ outer: ItaniumPrecedence = .none, isStrict: Bool = false
  ) throws(NameRefusal) {
    let own = precedence(id).rawValue
    guard own >= outer.rawValue + (isStrict ? 1 : 0) else { return try all(id) }
    try bracketed(id)
  }

  private func precedence(_ id: ID) -> ItaniumPrecedence {
    switch node(id) {
    case .binary(let index, _, _), .prefix(let index, _), .postfix(let index, _),
      .member(let index, _, _), .namedCast(let index, _, _):
      ItaniumOperator.all[Int(index)].precedence
    case .subscripted, .call: .postfix
    case .conditional: .conditional
    case .enclosing(_, _, let precedence): precedence
    case .cast, .castOfMemberPointer: .cast
    case .new, .delete: .unary
    default: .primary
    }
  }

  mutating func expression(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .binary(let index, let left, let right): try binary(index, left, right)
    case .prefix(let index, let operand):
      let operation = ItaniumOperator.all[Int(index)]
      try output.append(operation.symbol)
      try self.operand(operand, operation.precedence)
    case .postfix(let index, let operand):
      let operation = ItaniumOperator.all[Int(index)]
      try self.operand(operand, operation.precedence, isStrict: true)
      try output.append(operation.symbol)
    case .member(let index, let object, let member):
      let operation = ItaniumOperator.all[Int(index)]
      try operand(object, operation.precedence, isStrict: true)
      try output.append(operation.symbol)
      try operand(member, operation.precedence)
    case .subscripted(let base, let index):
      try operand(base, .postfix)
      try output.append("[")
      try operand(index)
      try output.append("]")
    case .conditional(let condition, let first, let second):
      try operand(condition, .conditional)
      try output.append(" ? ")
      try operand(first)
      try output.append(" : ")
      try operand(second, .assign, isStrict: true)
    case .enclosing(let word, let operand, _):
      try self.word(word)
      try bracketed(operand)
    case .throwExpression(let value):
      try output.append("throw ")
      try all(value)
    case .call(let function, let arguments):
      try all(function)
      try bracketed(arguments)
    case .new(let type, let placement, let initialisers, let allocation):
      try newExpression(type, placement, initialisers, allocation)
    case .delete(let operand, let allocation):
      if allocation.contains(.global) { try output.append("::") }
      try output.append(allocation.contains(.array) ? "delete[] " : "delete ")
      try all(operand)
    case .sizeOfPack(let pack):
      try output.append("sizeof...")
      try output.append("(")
      try expand(pack)
      try output.append(")")
    case .fold(let index, let isLeft, let pack, let initial):
      try fold(index, isLeft: isLeft, pack: pack, initial: initial)
    case .subobject(let object, let type, let offset):
      try all(object)
      try output.append(".<")
      try all(type)
      try output.append(" at offset ")
      if case .text(let number) = node(offset) {
        if number.count == 0 { try output.append("0") }
        try self.number(number)
      }
      try output.append(">")
    case .functionParameter(let number):
      try output.append("fp")
      try text(number)
    case .destructorName(let type):
      try output.append("~")
      try left(type)
    default: try castOrLiteral(id)
    }
  }

  private mutating func castOrLiteral(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .namedCast(let index, let type, let value):
      try output.append(ItaniumOperator.all[Int(index)].symbol)
      try output.append("<")
      try left(type)
      try output.append(">(")
      try operand(value)
      try output.append(")")
    case .cast(let type, let values):
      try bracketed(type)
      try bracketed(values)
    case .castOfMemberPointer(let type, let value):
      try bracketed(type)
      try bracketed(value)
    case .initialiserList(let type, let values):
      if !type.isNone { try all(type) }
      try output.append("{")
      try list(values)
      try output.append("}")
    case .fieldInitialiser(let name, let value):
      try output.append(".")
      try all(name)
      try initialiser(value)
    case .indexInitialiser(let index, let value):
      try output.append("[")
      try all(index)
      try output.append("]")
      try initialiser(value)
    case .rangeInitialiser(let first, let last, let value):
      try output.append("[")
      try all(first)
      try output.append(" ... ")
      try all(last)
      try output.append("]")
      try initialiser(value)
    case .enumerator(let type, let value):
      try bracketed(type)
      try number(value)
    case .float(let format, let digits):
      let bytes = UnsafeBufferPointer(start: base + Int(digits.start), count: Int(digits.count))
      for byte in HexFloat.text(format, digits: bytes).utf8 { try output.append(byte) }
    case .stringLiteral(let type):
      try output.append("\"<")
      try all(type)
      try output.append(">\"")
    case .lambdaExpression(let index):
      try output.append("[]")
      try signature(closure(index))
      try output.append("{...}")
    default: try requiresExpression(id)
    }
  }

  mutating func integer(_ word: ItaniumWord, _ value: ItaniumNode.Text) throws(NameRefusal) {
    // Suffixes are short, types are not.
    if word.text.utf8CodeUnitCount > 3 {
      try output.append("(")
      try self.word(word)
      try output.append(")")
      try number(value)
    } else {
      try number(value)
      try self.word(word)
    }
  }

  private mutating func binary(
    _ index: ItaniumOperator.Index, _ left: ID, _ right: ID
  ) throws(NameRefusal) {
    let operation = ItaniumOperator.all[Int(index)]
    let symbol = operation.symbol
    // `>` and `>>` would close template arguments.
    let closes =
      symbol.utf8CodeUnitCount <= 2 && symbol.utf8Start[0] == UInt8(ascii: ">")
      && (symbol.utf8CodeUnitCount == 1 || symbol.utf8Start[1] == UInt8(ascii: ">"))
    if closes { try output.append("(") }
    let isAssignment = operation.precedence == .assign
    try operand(left, isAssignment ? .orIf : operation.precedence, isStrict: !isAssignment)
    if operation.precedence != .comma { try output.append(" ") }
    try output.append(symbol)
    try output.append(" ")
    try operand(right, operation.precedence, isStrict: isAssignment)
    if closes { try output.append(")") }
  }

  private mutating func newExpression(
    _ type: ID, _ placement: ID, _ initialisers: ID, _ allocation: ItaniumAllocation
  ) throws(NameRefusal) {
    if allocation.contains(.global) { try output.append("::") }
    try output.append(allocation.contains(.array) ? "new[]" : "new")
    if !placement.isNone { try bracketed(placement) }
    try output.append(" ")
    try all(type)
    if !initialisers.isNone { try bracketed(initialisers) }
  }

  private mutating func fold(
    _ index: ItaniumOperator.Index, isLeft: Bool, pack: ID, initial: ID
  ) throws(NameRefusal) {
    let symbol = ItaniumOperator.all[Int(index)].symbol
    try output.append("(")
    if !isLeft || !initial.isNone {
      if isLeft { try operand(initial, .cast, isStrict: true) } else { try foldPack(pack) }
      try output.append(" ")
      try output.append(symbol)
      try output.append(" ")
    }
    try output.append("...")
    if isLeft || !initial.isNone {
      try output.append(" ")
      try output.append(symbol)
      try output.append(" ")
      if isLeft { try foldPack(pack) } else { try operand(initial, .cast, isStrict: true) }
    }
    try output.append(")")
  }

  private mutating func foldPack(_ pack: ID) throws(NameRefusal) {
    try output.append("(")
    try expand(pack)
    try output.append(")")
  }

  private mutating func initialiser(_ value: ID) throws(NameRefusal) {
    switch node(value) {
    case .fieldInitialiser, .indexInitialiser, .rangeInitialiser: break
    default: try output.append(" = ")
    }
    try all(value)
  }

  private mutating func requiresExpression(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .requires(let parameters, let requirements):
      try output.append("requires")
      if !parameters.isNone {
        try output.append(" ")
        try bracketed(parameters)
      }
      try output.append(" ")
      try output.append("{")
      for index in 0..<requirements.count { try all(element(requirements, index)) }
      try output.append(" ")
      try output.append("}")
    case .requirement(let value, let constraint, let isNoexcept):
      try output.append(" ")
      let isBracketed = isNoexcept || !constraint.isNone
      if isBracketed { try output.append("{") }
      try all(value)
      if isBracketed { try output.append("}") }
      if isNoexcept { try output.append(" noexcept") }
      if !constraint.isNone {
        try output.append(" -> ")
        try all(constraint)
      }
      try output.append(";")
    case .typeRequirement(let type):
      try output.append(" typename ")
      try all(type)
      try output.append(";")
    case .nestedRequirement(let constraint):
      try output.append(" requires ")
      try all(constraint)
      try output.append(";")
    default: break
    }
  }
}
