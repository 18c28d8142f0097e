/// A part of a C++ name: a value in the flat array that the parser fills and the printer reads.
///
/// Parts name one another by their index, so that a substitution costs no copy, and a name needs no
/// memory but a few arrays.
enum ItaniumNode {
  /// A part that was printed before: bytes of the output.
  case printed(Text)

  typealias ID = NodeID
  typealias Text = NodeText
  typealias List = NodeList

  // Names.
  case text(Text)
  case word(ItaniumWord)
  case nested(ID, name: ID)
  case local(ID, entity: ID)
  case global(ID)
  case memberLikeFriend(ID, name: ID)
  case module(parent: ID, name: ID, isPartition: Bool)
  case moduleEntity(ID, module: ID)
  case tagged(ID, tag: Text)
  case structuredBinding(List)
  /// The class by its own name alone.
  case constructor(ID)
  case destructor(ID)
  case operatorName(ItaniumOperator.Index)
  case conversion(ID)
  case literalOperator(ID)
  case vendorOperator(ID)
  case unnamedType(Text)
  /// The index of an `ItaniumClosure`.
  case closure(Int32)
  case templated(ID, arguments: List)
  case library(ItaniumLibraryType)
  /// A library type with its template arguments written out, as its constructors need it.
  case spelledOut(ItaniumLibraryType)

  // Encodings.
  /// The index of an `ItaniumFunction`.
  case function(Int32)
  case special(ItaniumWord, ID)
  case constructionVTable(ID, derived: ID)
  case explicitObject(ID)

  // Types.
  case qualified(ID, ItaniumQualifiers)
  case pointer(ID)
  case reference(ID, isRvalue: Bool)
  case memberPointer(ofClass: ID, member: ID)
  case array(ID, dimension: ID)
  /// The index of an `ItaniumFunction`.
  case functionType(Int32)
  case vector(ID, dimension: ID)
  case followed(ID, by: ItaniumWord)
  case elaborated(ItaniumWord, ID)
  case vendorQualified(ID, qualifier: ID)
  case protocolQualified(ID, protocol: Text)
  case transformed(name: Text, ID)
  case bitInteger(ID, isSigned: Bool)
  case numbered(ItaniumWord, Text)
  case noexceptIf(ID)
  case throwing(List)

  // Templates.
  case argumentPack(List)
  case parameterPack(List)
  case expansion(ID)
  /// A parameter of arguments that stand further on in the name.
  case forward(parameter: Int32, target: ID)
  case inventedParameter(ItaniumWord, number: Int32)
  case typeParameter(ID)
  case constrainedParameter(constraint: ID, name: ID)
  case valueParameter(name: ID, type: ID)
  case templateParameter(name: ID, List)
  case packParameter(ID)

  // Expressions.
  case binary(ItaniumOperator.Index, ID, ID)
  case prefix(ItaniumOperator.Index, ID)
  case postfix(ItaniumOperator.Index, ID)
  case member(ItaniumOperator.Index, ID, ID)
  case subscripted(ID, ID)
  case conditional(ID, ID, ID)
  case enclosing(ItaniumWord, ID, ItaniumPrecedence)
  case throwExpression(ID)
  case namedCast(ItaniumOperator.Index, type: ID, ID)
  case cast(type: ID, List)
  case castOfMemberPointer(type: ID, ID)
  case call(ID, List)
  /// `placement` and `initialisers` are lists of arguments, or none.
  case new(type: ID, placement: ID, initialisers: ID, ItaniumAllocation)
  case delete(ID, ItaniumAllocation)
  case sizeOfPack(ID)
  case fold(ItaniumOperator.Index, isLeft: Bool, pack: ID, initial: ID)
  case initialiserList(type: ID, List)
  case fieldInitialiser(name: ID, ID)
  case indexInitialiser(ID, ID)
  case rangeInitialiser(ID, ID, ID)
  case subobject(ID, type: ID, offset: ID)
  case functionParameter(Text)
  case destructorName(ID)
  case integer(ItaniumWord, Text)
  case enumerator(type: ID, Text)
  case float(ItaniumFloat, Text)
  case stringLiteral(ID)
  case lambdaExpression(Int32)
  case requires(parameters: ID, List)
  case requirement(ID, constraint: ID, isNoexcept: Bool)
  case typeRequirement(ID)
  case nestedRequirement(ID)
}

/// The meanings of `K`, `V` and `r` before a type, and of `R` and `O` after a function.
struct ItaniumQualifiers: OptionSet {
  let rawValue: UInt8
  static let const = Self(rawValue: 1)
  static let volatile = Self(rawValue: 2)
  static let restrict = Self(rawValue: 4)
  static let lvalue = Self(rawValue: 8)
  static let rvalue = Self(rawValue: 16)
}

/// The forms of `new` and `delete`.
struct ItaniumAllocation: OptionSet {
  let rawValue: UInt8
  /// `::new`
  static let global = Self(rawValue: 1)
  /// `new[]`
  static let array = Self(rawValue: 2)
}

/// The formats of floating-point literals: `f`, `d` and the 80 bits of `e`.
enum ItaniumFloat: UInt8 {
  case float, double, extended

  /// Hexadecimal digits that a mangled literal has.
  var digits: Int {
    switch self {
    case .float: 8
    case .double: 16
    case .extended: 20
    }
  }
}

/// A function: an encoding, or a function type.
struct ItaniumFunction {
  var result = ItaniumNode.ID.none
  var name = ItaniumNode.ID.none
  var parameters = ItaniumNode.List.empty
  var qualifiers: ItaniumQualifiers = []
  /// Arguments of `enable_if`.
  var conditions: ItaniumNode.List?
  var requirement = ItaniumNode.ID.none
  var exceptions = ItaniumNode.ID.none
}

/// The type of a lambda.
struct ItaniumClosure {
  var templateParameters = ItaniumNode.List.empty
  var firstRequirement = ItaniumNode.ID.none
  var parameters = ItaniumNode.List.empty
  var secondRequirement = ItaniumNode.ID.none
  var number = ItaniumNode.Text(start: 0, count: 0)
}
