extension MicrosoftPrinter {
  mutating func name(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .text(let text):
      try self.text(text)
    case .word(let word):
      if word == .anonymousNamespace, !isMicrosoft {
        try output.append("(anonymous namespace)")
      } else {
        try output.append(word.text)
      }
    case .operatorName(let index):
      guard let named = MicrosoftOperator.named(index) else { return }
      try output.append(isMicrosoft ? named.name : named.microsoftName)
    case .structor(let type, let isDestructor):
      if isDestructor { try output.append("~") }
      try name(isMicrosoft ? type : withoutArguments(type))
    case .conversion(let type):
      try output.append("operator ")
      try all(type)
    case .literalOperator(let text):
      try output.append(isMicrosoft ? "operator \"\"" : "operator\"\" ")
      try self.text(text)
    case .templated(let name, let arguments): try templated(name, arguments)
    case .repeated(let name): try inFull { (self) throws(NameRefusal) in try self.name(name) }
    case .localScope(let symbol, let number): try localScope(symbol, number)
    case .guardVariable(let ofThread, let index):
      try output.append(ofThread ? "`local static thread guard'" : "`local static guard'")
      if index > 0 {
        try output.append("{")
        try number(index)
        try output.append("}")
      }
    case .virtualCall(let offset):
      try output.append("`vcall'{")
      try number(offset)
      try output.append(", {flat}}")
    case .dynamicInitialiser(let symbol, let isDestructor):
      try dynamicInitialiser(symbol, isDestructor: isDestructor)
    case .baseClass(let numbers):
      try output.append("`RTTI Base Class Descriptor at (")
      try list(numbers)
      try output.append(")'")
    case .qualified(let list):
      for index in 0..<list.count {
        if index > 0 { try output.append("::") }
        try name(element(list, index))
      }
    case .entity(let name): try self.name(name)
    default: try all(id)
    }
  }

  private func withoutArguments(_ id: ID) -> ID {
    switch node(id) {
    case .repeated(let name): withoutArguments(name)
    case .templated(let name, _): name
    default: id
    }
  }

  private mutating func templated(_ name: ID, _ arguments: List) throws(NameRefusal) {
    try enter()
    defer { leave() }
    if isMicrosoft, case .conversion(let type) = node(name) {
      try output.append("operator<")
      try list(arguments)
      try output.append("> ")
      return try all(type)
    }
    try self.name(name)
    try output.append("<")
    try list(arguments)
    try output.append(">")
  }

  private mutating func localScope(_ id: ID, _ number: UInt64) throws(NameRefusal) {
    guard isMicrosoft else { return try symbol(id) }
    try output.append("`")
    // A text of its own: no space before its first word.
    try inFull { (self) throws(NameRefusal) in try self.symbol(id) }
    try output.append("'::`")
    try self.number(number)
    try output.append("'")
  }

  private mutating func dynamicInitialiser(
    _ id: ID, isDestructor: Bool
  ) throws(NameRefusal) {
    try output.append(
      isDestructor ? "`dynamic atexit destructor for " : "`dynamic initializer for ")
    if isMicrosoft, case .variable = node(id) {
      try output.append("`")
      try symbol(id)
    } else {
      try output.append("'")
      try symbol(id)
    }
    try output.append("''")
  }
}
