extension MicrosoftPrinter {
  mutating func symbol(_ id: ID) throws(NameRefusal) {
    try enter()
    defer { leave() }
    switch node(id) {
    case .function(let index): try function(function(index))
    case .variable(let name, let type, let storage): try variable(name, type, storage)
    case .typeDescriptor(let type, let word):
      try all(type)
      // The text in a descriptor is just the type's name.
      if word == .typeDescriptorName, !isMicrosoft { return }
      if isMicrosoft { try separate() } else { try output.append(" ") }
      try output.append(word.text)
    case .table(let name, let bases, let qualifiers):
      if isMicrosoft, try self.qualifiers(qualifiers, spaced: false) { try output.append(" ") }
      try self.name(name)
      try self.bases(bases)
    case .string(let character, let text, let isCut):
      switch character {
      case .char: break
      case .wide: try output.append("L")
      case .char16: try output.append("u")
      case .char32: try output.append("U")
      }
      try output.append("\"")
      try string(text)
      try output.append("\"")
      if isCut { try output.append("...") }
    default: try name(id)
    }
  }

  /// Prints a function or variable as its source declares it: without scopes and parameters.
  mutating func short(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .function(let index): try short(function(index).name)
    case .variable(let name, _, _), .entity(let name): try short(name)
    case .qualified(let list): try name(element(list, list.count - 1))
    case .dynamicInitialiser: try name(id)
    default: try symbol(id)
    }
  }

  /// Whether only the hash of a name is known.
  func isHash(_ id: ID) -> Bool {
    guard case .entity(let name) = node(id), case .text = node(name) else { return false }
    return true
  }

  private mutating func bases(_ list: List) throws(NameRefusal) {
    guard !list.isEmpty else { return }
    try output.append("{for `")
    for index in 0..<list.count {
      if index > 0 { try output.append("'s `") }
      try name(element(list, index))
    }
    try output.append("'}")
  }

  // MARK: Functions

  private mutating func function(_ function: MicrosoftFunction) throws(NameRefusal) {
    switch function.thunk {
    case .none: break
    default: try output.append("[thunk]: ")
    }
    if isFull {
      try beforeConvention(function)
      try convention(function.convention)
      try separate()
    }
    try name(function.name)
    switch function.thunk {
    case .none, .virtualCall: break
    case .adjustor(let offset): try adjustment("`adjustor{", [Int64(offset)])
    case .displacement(let first, let second):
      try adjustment("`vtordisp{", [Int64(first), Int64(second)])
    case .extendedDisplacement(let first, let second, let third, let fourth):
      try adjustment(
        "`vtordispex{", [Int64(first), Int64(second), Int64(third), Int64(fourth)])
    }
    try signature(function)
  }

  private mutating func adjustment(
    _ word: StaticString, _ numbers: [Int64]
  ) throws(NameRefusal) {
    try output.append(word)
    for (index, value) in numbers.enumerated() {
      if index > 0 { try output.append(", ") }
      try number(value)
    }
    try output.append("}'")
  }

  /// Prints access, storage and result.
  mutating func beforeConvention(_ function: MicrosoftFunction) throws(NameRefusal) {
    if isFull {
      if function.kind.contains(.isPublic) { try output.append("public: ") }
      if function.kind.contains(.isProtected) { try output.append("protected: ") }
      if function.kind.contains(.isPrivate) { try output.append("private: ") }
      if function.kind.contains(.isStatic) { try output.append("static ") }
      if function.kind.contains(.isVirtual) { try output.append("virtual ") }
      if function.kind.contains(.externC) { try output.append("extern \"C\" ") }
    }
    if hasResults, !function.result.isNone {
      try left(function.result)
      try output.append(" ")
    }
  }

  mutating func convention(_ convention: MicrosoftConvention) throws(NameRefusal) {
    try separate()
    try output.append(convention.text)
  }

  /// Prints the part after the name.
  mutating func signature(_ function: MicrosoftFunction) throws(NameRefusal) {
    if !function.kind.contains(.withoutParameters) {
      try output.append("(")
      if let parameters = function.parameters {
        try list(parameters)
      } else if isMicrosoft {
        try output.append("void")
      }
      if function.isVariadic {
        if output.last != UInt8(ascii: "(") { try output.append(", ") }
        try output.append("...")
      }
      try output.append(")")
    }
    if function.qualifiers.contains(.const) { try output.append(" const") }
    if function.qualifiers.contains(.volatile) { try output.append(" volatile") }
    if function.qualifiers.contains(.restrict) { try output.append(" __restrict") }
    if function.qualifiers.contains(.unaligned) { try output.append(" __unaligned") }
    // Elsewhere it is part of a function's type, not of its name.
    if function.isNoexcept, isMicrosoft || function.name.isNone {
      try output.append(" noexcept")
    }
    switch function.reference {
    case .none: break
    case .lvalue: try output.append(" &")
    case .rvalue: try output.append(" &&")
    }
    if hasResults, !function.result.isNone { try right(function.result) }
  }

  // MARK: Variables

  private mutating func variable(
    _ name: ID, _ type: ID, _ storage: MicrosoftStorage
  ) throws(NameRefusal) {
    guard isMicrosoft else { return try self.name(name) }
    if isFull {
      switch storage {
      case .isPrivate: try output.append("private: static ")
      case .isProtected: try output.append("protected: static ")
      case .isPublic: try output.append("public: static ")
      case .none, .global, .local: break
      }
    }
    try left(type)
    try separate()
    try self.name(name)
    try right(type)
  }
}
