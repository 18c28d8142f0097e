extension MicrosoftPrinter {
  mutating func all(_ id: ID) throws(NameRefusal) {
    try left(id)
    try right(id)
  }

  mutating func list(_ list: List) throws(NameRefusal) {
    for index in 0..<list.count {
      if index > 0 { try output.append(", ") }
      try all(element(list, index))
    }
  }

  /// The text before the thing that has the type; the whole of anything else.
  mutating func left(_ id: ID) throws(NameRefusal) {
    try enter()
    defer { leave() }
    switch node(id) {
    case .primitive(let primitive, let qualifiers):
      try output.append(isMicrosoft ? primitive.text : primitive.plainText)
      _ = try self.qualifiers(qualifiers, spaced: true)
    case .tagged(let tag, let name, let qualifiers):
      if isMicrosoft { try output.append(tag.text) }
      try self.name(name)
      _ = try self.qualifiers(qualifiers, spaced: true)
    case .pointer(let kind, let target, let parent, let own):
      try leftOfPointer(kind, target, parent, own)
    case .array(let element, _, let qualifiers):
      try left(element)
      _ = try self.qualifiers(qualifiers, spaced: true)
    case .functionType(let index):
      let function = function(index)
      if isMicrosoft {
        try beforeConvention(function)
        if isFull { try convention(function.convention) }
      } else {
        try left(ofPlain: function)
      }
    case .custom(let name): try self.name(name)
    case .number(let value, let isNegative):
      if isNegative { try output.append("-") }
      try number(value)
    case .float(let bits):
      let text =
        UInt32(exactly: bits).map { "\(Float(bitPattern: $0))" } ?? "\(Double(bitPattern: bits))"
      for byte in text.utf8 { try output.append(byte) }
    case .aggregate(let type, let list):
      if !type.isNone { try all(type) }
      try output.append("{")
      try self.list(list)
      try output.append("}")
    case .address(let symbol, let isPointer, let offsets):
      try address(of: symbol, isPointer: isPointer, offsets)
    default: try name(id)
    }
  }

  mutating func right(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .pointer(_, let target, _, _): try rightOfPointer(target)
    case .array(let element, let dimensions, _):
      try enter()
      defer { leave() }
      if !isMicrosoft, output.last != UInt8(ascii: "]") { try output.append(" ") }
      for index in 0..<dimensions.count {
        try output.append("[")
        if case .number(let value, _) = node(self.element(dimensions, index)), value != 0 {
          try number(value)
        }
        try output.append("]")
      }
      try right(element)
    case .functionType(let index): try rightOfFunction(index)
    default: break
    }
  }

  /// - Returns: Whether there were any.
  mutating func qualifiers(
    _ qualifiers: MicrosoftQualifiers, spaced: Bool
  ) throws(NameRefusal) -> Bool {
    var needsSpace = spaced
    let start = output.count
    if qualifiers.contains(.const) {
      try output.append(needsSpace ? " const" : "const")
      needsSpace = true
    }
    if qualifiers.contains(.volatile) {
      try output.append(needsSpace ? " volatile" : "volatile")
      needsSpace = true
    }
    if qualifiers.contains(.restrict) {
      try output.append(needsSpace ? " __restrict" : "__restrict")
    }
    return output.count > start
  }

  // MARK: Pointers

  private mutating func leftOfPointer(
    _ kind: MicrosoftPointer, _ target: ID, _ parent: ID, _ own: MicrosoftQualifiers
  ) throws(NameRefusal) {
    let needsBrackets: Bool
    if case .functionType(let index) = node(target) {
      needsBrackets = true
      let function = function(index)
      let outer = hasResults
      hasResults = true
      if isMicrosoft {
        try beforeConvention(function)
        try separate()
      } else {
        try left(ofPlain: function)
      }
      hasResults = outer
      if own.contains(.unaligned) { try output.append("__unaligned ") }
      try output.append("(")
      if isFull {
        try convention(function.convention)
        try output.append(" ")
      }
    } else {
      try left(target)
      if case .array = node(target) { needsBrackets = true } else { needsBrackets = false }
      if isMicrosoft {
        try separate()
      } else if needsBrackets || !parent.isNone || own.contains(.unaligned) {
        try output.append(" ")
      }
      if own.contains(.unaligned) { try output.append("__unaligned ") }
      if needsBrackets { try output.append("(") }
    }
    if !parent.isNone {
      try name(parent)
      try output.append("::")
    }
    switch kind {
    case .pointer: try output.append("*")
    case .reference: try output.append("&")
    case .rvalueReference: try output.append("&&")
    }
    _ = try qualifiers(own.subtracting(.unaligned), spaced: !isMicrosoft)
  }

  private mutating func rightOfPointer(_ target: ID) throws(NameRefusal) {
    try enter()
    defer { leave() }
    switch node(target) {
    case .array:
      try output.append(")")
      try right(target)
    case .functionType(let index):
      try output.append(")")
      let outer = hasResults
      hasResults = true
      try rightOfFunction(index)
      hasResults = outer
    default: try right(target)
    }
  }

  // MARK: Functions

  /// The result of a function type, which other compilers' names have in any case.
  private mutating func left(ofPlain function: MicrosoftFunction) throws(NameRefusal) {
    guard !function.result.isNone else { return }
    try left(function.result)
    try output.append(" ")
  }

  private mutating func rightOfFunction(_ index: Int32) throws(NameRefusal) {
    let outer = hasResults
    if !isMicrosoft { hasResults = true }
    try signature(function(index))
    hasResults = outer
  }

  // MARK: Template arguments

  private mutating func address(
    of symbol: ID, isPointer: Bool, _ offsets: List
  ) throws(NameRefusal) {
    if !offsets.isEmpty {
      try output.append("{")
    } else if isPointer {
      try output.append("&")
    }
    if !symbol.isNone {
      try self.symbol(symbol)
      if !offsets.isEmpty { try output.append(", ") }
    }
    guard !offsets.isEmpty else { return }
    try list(offsets)
    try output.append("}")
  }
}
