extension ItaniumPrinter {
  /// The text after the thing that has the type.
  mutating func right(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .text, .word, .nested, .templated, .library, .integer, .printed: return
    default: break
    }
    try enter()
    defer { leave() }
    switch node(id) {
    case .function(let index): try rightOfFunction(function(index))
    case .functionType(let index): try rightOfFunctionType(function(index))
    case .qualified(let type, _): try right(type)
    case .pointer(let target):
      if case .protocolQualified(let type, _) = node(target), isObject(type) { return }
      if hasArray(target) || hasFunction(target) { try output.append(")") }
      try right(target)
    case .reference:
      guard let (target, _) = collapsed(id) else { return }
      if hasArray(target) || hasFunction(target) { try output.append(")") }
      try right(target)
    case .memberPointer(_, let member):
      if hasArray(member) || hasFunction(member) { try output.append(")") }
      try right(member)
    case .array(let element, let dimension):
      if output.last != UInt8(ascii: "]") { try output.append(" ") }
      try output.append("[")
      if !dimension.isNone { try all(dimension) }
      try output.append("]")
      try right(element)
    case .parameterPack(let pack):
      if let element = current(pack) { try right(element) }
    case .forward(_, let target):
      guard !target.isNone, !isOpen(id) else { return }
      open.append(id)
      try right(target)
      _ = open.popLast()
    case .tagged(let name, _): try right(name)
    case .explicitObject(let type): try right(type)
    case .typeParameter(let name), .constrainedParameter(_, let name),
      .templateParameter(let name, _):
      try all(name)
    case .valueParameter(let name, let type):
      try all(name)
      try right(type)
    case .packParameter(let parameter): try right(parameter)
    default: break
    }
  }

  private mutating func rightOfFunction(_ function: ItaniumFunction) throws(NameRefusal) {
    try bracketed(function.parameters)
    if !function.result.isNone { try right(function.result) }
    try qualifiers(function.qualifiers)
    if let conditions = function.conditions {
      try output.append(" [enable_if:")
      try list(conditions)
      try output.append("]")
    }
    if !function.requirement.isNone {
      try output.append(" requires ")
      try all(function.requirement)
    }
  }

  private mutating func rightOfFunctionType(_ function: ItaniumFunction) throws(NameRefusal) {
    try bracketed(function.parameters)
    try right(function.result)
    try qualifiers(function.qualifiers)
    if !function.exceptions.isNone {
      try output.append(" ")
      try all(function.exceptions)
    }
  }

  // MARK: What a type is made of

  /// Whether anything is printed on the right.
  mutating func hasRight(_ id: ID) -> Bool {
    var id = id
    while step() {
      switch node(id) {
      case .function, .functionType, .array, .typeParameter, .constrainedParameter,
        .valueParameter, .templateParameter:
        return true
      case .qualified(let type, _), .pointer(let type), .memberPointer(_, let type),
        .reference(let type, _), .packParameter(let type):
        id = type
      default:
        guard let target = resolved(id) else { return false }
        id = target
      }
    }
    return false
  }

  mutating func hasArray(_ id: ID) -> Bool {
    var id = id
    while step() {
      switch node(id) {
      case .array: return true
      case .qualified(let type, _): id = type
      default:
        guard let target = resolved(id) else { return false }
        id = target
      }
    }
    return false
  }

  mutating func hasFunction(_ id: ID) -> Bool {
    var id = id
    while step() {
      switch node(id) {
      case .function, .functionType: return true
      case .qualified(let type, _): id = type
      default:
        guard let target = resolved(id) else { return false }
        id = target
      }
    }
    return false
  }

  /// The meaning of a pack or a forward reference here.
  private mutating func resolved(_ id: ID) -> ID? {
    switch node(id) {
    case .parameterPack(let pack): return current(pack)
    case .forward(_, let target): return target.isNone || isOpen(id) ? nil : target
    default: return nil
    }
  }

  /// The target of references to references: `&` unless all are `&&`.
  mutating func collapsed(_ id: ID) -> (target: ID, isRvalue: Bool)? {
    var id = id
    var isRvalue = true
    while step() {
      if case .reference(let target, let isInnerRvalue) = node(id) {
        isRvalue = isRvalue && isInnerRvalue
        id = target
      } else if let target = resolved(id) {
        guard isReference(target) else { return (id, isRvalue) }
        id = target
      } else {
        return (id, isRvalue)
      }
    }
    return nil
  }

  private mutating func isReference(_ id: ID) -> Bool {
    var id = id
    while step() {
      if case .reference = node(id) { return true }
      guard let target = resolved(id) else { return false }
      id = target
    }
    return false
  }

  func isObject(_ id: ID) -> Bool {
    guard case .text(let text) = node(id) else { return false }
    let word: StaticString = "objc_object"
    return Int(text.count) == word.utf8CodeUnitCount
      && (0..<Int(text.count)).allSatisfy { base[Int(text.start) + $0] == word.utf8Start[$0] }
  }
}
