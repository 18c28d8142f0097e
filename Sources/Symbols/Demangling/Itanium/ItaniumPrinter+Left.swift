extension ItaniumPrinter {
  /// The text before the thing that has the type; the whole of anything else.
  mutating func left(_ id: ID) throws(NameRefusal) {
    try enter()
    defer { leave() }
    switch node(id) {
    case .text(let text): try self.text(text)
    case .word(let word): try self.word(word)
    case .printed(let text): try output.repeat(Int(text.start), Int(text.count))
    case .nested(let scope, let name):
      let start = output.count
      let packs = packsMet
      try all(scope)
      try output.append("::")
      try all(name)
      remember(id, from: start, packs: packs)
    case .templated(let template, let arguments):
      let start = output.count
      let packs = packsMet
      try all(template)
      try templateArguments(arguments)
      remember(id, from: start, packs: packs)
    case .function(let index): try leftOfFunction(function(index))
    case .pointer(let target): try leftOfPointer(target)
    case .reference: try leftOfReference(id)
    case .qualified(let type, let qualifiers):
      try left(type)
      try self.qualifiers(qualifiers)
    case .library(let type):
      try output.append("std::")
      try output.append(type.short)
    case .integer(let word, let value): try integer(word, value)
    case .parameterPack(let pack):
      if let element = current(pack) { try left(element) }
    case .argumentPack(let list): try self.list(list)
    case .expansion(let pattern): try expand(pattern)
    case .forward(_, let target):
      guard !target.isNone, !isOpen(id) else { return }
      open.append(id)
      try left(target)
      _ = open.popLast()
    case .memberPointer(let type, let member):
      try left(member)
      if hasArray(member) || hasFunction(member) {
        try output.append("(")
      } else {
        try output.append(" ")
      }
      try all(type)
      try output.append("::*")
    case .array(let element, _): try left(element)
    case .functionType(let index):
      try left(function(index).result)
      try output.append(" ")
    default: try leftOfRareType(id)
    }
  }

  private mutating func leftOfFunction(_ function: ItaniumFunction) throws(NameRefusal) {
    if !function.result.isNone {
      try left(function.result)
      if !hasRight(function.result) { try output.append(" ") }
    }
    try all(function.name)
  }

  private mutating func leftOfPointer(_ target: ID) throws(NameRefusal) {
    // `objc_object<Loader>*` is what Objective-C calls `id<Loader>`.
    if case .protocolQualified(let type, let name) = node(target), isObject(type) {
      try output.append("id<")
      try text(name)
      return try output.append(">")
    }
    try left(target)
    let isArray = hasArray(target)
    if isArray { try output.append(" ") }
    if isArray || hasFunction(target) { try output.append("(") }
    try output.append("*")
  }

  private mutating func leftOfReference(_ id: ID) throws(NameRefusal) {
    guard let (target, isRvalue) = collapsed(id) else { return }
    try left(target)
    let isArray = hasArray(target)
    if isArray { try output.append(" ") }
    if isArray || hasFunction(target) { try output.append("(") }
    try output.append(isRvalue ? "&&" : "&")
  }

  mutating func qualifiers(_ qualifiers: ItaniumQualifiers) throws(NameRefusal) {
    if qualifiers.contains(.const) { try output.append(" const") }
    if qualifiers.contains(.volatile) { try output.append(" volatile") }
    if qualifiers.contains(.restrict) { try output.append(" restrict") }
    if qualifiers.contains(.lvalue) { try output.append(" &") }
    if qualifiers.contains(.rvalue) { try output.append(" &&") }
  }

  private mutating func leftOfRareType(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .vector(let element, let dimension):
      try left(element)
      try output.append(" vector[")
      if !dimension.isNone { try all(dimension) }
      try output.append("]")
    case .followed(let type, let word):
      try left(type)
      try self.word(word)
    case .elaborated(let word, let name):
      try self.word(word)
      try output.append(" ")
      try all(name)
    case .vendorQualified(let type, let qualifier):
      try all(type)
      try output.append(" ")
      try all(qualifier)
    case .protocolQualified(let type, let name):
      try all(type)
      try output.append("<")
      try text(name)
      try output.append(">")
    case .transformed(let name, let type):
      try text(name)
      try output.append("(")
      try all(type)
      try output.append(")")
    case .bitInteger(let size, let isSigned):
      if !isSigned { try output.append("unsigned ") }
      try output.append("_BitInt")
      try bracketed(size)
    case .numbered(let word, let number):
      try self.word(word)
      try text(number)
      if word == .floatNx { try output.append("x") }
      if word == .pixelVector { try output.append("]") }
    case .noexceptIf(let condition):
      try output.append("noexcept")
      try bracketed(condition)
    case .throwing(let types):
      try output.append("throw")
      try bracketed(types)
    case .explicitObject(let type):
      try output.append("this ")
      try left(type)
    default: try leftOfName(id)
    }
  }

  private mutating func leftOfName(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .local(let function, let entity):
      try all(function)
      try output.append("::")
      try all(entity)
    case .global(let name):
      try output.append("::")
      try all(name)
    case .memberLikeFriend(let scope, let name):
      try all(scope)
      try output.append("::friend ")
      try all(name)
    case .module(let parent, let name, let isPartition):
      if !parent.isNone { try all(parent) }
      if !parent.isNone || isPartition { try output.append(isPartition ? ":" : ".") }
      try all(name)
    case .moduleEntity(let name, let module):
      try all(name)
      try output.append("@")
      try all(module)
    case .tagged(let name, let tag):
      try left(name)
      try output.append("[abi:")
      try text(tag)
      try output.append("]")
    case .structuredBinding(let names):
      try output.append("[")
      try list(names)
      try output.append("]")
    case .constructor(let name): try className(name)
    case .destructor(let name):
      try output.append("~")
      try className(name)
    case .operatorName(let index):
      let operation = ItaniumOperator.all[Int(index)]
      try output.append(operation.isWord ? "operator " : "operator")
      try output.append(operation.symbol)
    case .conversion(let type):
      try output.append("operator ")
      try all(type)
    case .literalOperator(let name):
      try output.append("operator\"\" ")
      try all(name)
    case .vendorOperator(let name):
      try output.append("operator ")
      try all(name)
    case .unnamedType(let number):
      try output.append("'unnamed")
      try text(number)
      try output.append("'")
    case .closure(let index):
      try output.append("'lambda")
      try text(closure(index).number)
      try output.append("'")
      try signature(closure(index))
    case .spelledOut(let type):
      try output.append("std::")
      try output.append(type.template)
      try output.append(type.arguments)
    case .special(let word, let subject):
      try self.word(word)
      try all(subject)
    case .constructionVTable(let base, let derived):
      try output.append("construction vtable for ")
      try all(base)
      try output.append("-in-")
      try all(derived)
    default: try leftOfParameter(id)
    }
  }

  private mutating func leftOfParameter(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .inventedParameter(let kind, let number):
      try word(kind)
      if number > 0 {
        for digit in String(number - 1).utf8 { try output.append(digit) }
      }
    case .typeParameter: try output.append("typename ")
    case .constrainedParameter(let constraint, _):
      try all(constraint)
      try output.append(" ")
    case .valueParameter(_, let type):
      try left(type)
      if !hasRight(type) { try output.append(" ") }
    case .templateParameter(_, let list):
      try output.append("template<")
      try self.list(list)
      try output.append("> typename ")
    case .packParameter(let parameter):
      try left(parameter)
      try output.append("...")
    default: try expression(id)
    }
  }

  /// Parameters of a lambda, with those of its template.
  mutating func signature(_ closure: ItaniumClosure) throws(NameRefusal) {
    if !closure.templateParameters.isEmpty { try templateArguments(closure.templateParameters) }
    if !closure.firstRequirement.isNone {
      try output.append(" requires ")
      try all(closure.firstRequirement)
      try output.append(" ")
    }
    try bracketed(closure.parameters)
    if !closure.secondRequirement.isNone {
      try output.append(" requires ")
      try all(closure.secondRequirement)
    }
  }

  /// The name that constructors and destructors of a class have.
  private mutating func className(_ id: ID) throws(NameRefusal) {
    switch node(id) {
    case .text(let text): try self.text(text)
    case .word(let word): try self.word(word)
    case .library(let type): try output.append(type.short)
    case .spelledOut(let type): try output.append(type.template)
    case .operatorName: try left(id)
    default: break
    }
  }
}
