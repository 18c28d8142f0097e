/// A part of a name that Microsoft's compilers decorate: a value in the flat array that the parser
/// fills and the printer reads.
enum MicrosoftNode {
  typealias ID = NodeID
  typealias Text = NodeText
  typealias List = NodeList

  // Names.
  case text(Text)
  case word(MicrosoftWord)
  case operatorName(MicrosoftOperator.Index)
  case structor(of: ID, isDestructor: Bool)
  /// The type is not known before the function's has been read.
  case conversion(to: ID)
  case literalOperator(Text)
  case templated(ID, arguments: List)
  /// A name that stood before in the mangled one, and now as one digit.
  case repeated(ID)
  /// The scope of a local name, a function or the initialiser of a variable: ``int main(void)'::`2'`.
  case localScope(of: ID, number: UInt64)
  case guardVariable(ofThread: Bool, index: UInt64)
  case virtualCall(offset: UInt64)
  case dynamicInitialiser(of: ID, isDestructor: Bool)
  /// Four numbers.
  case baseClass(List)
  /// The outermost scope first.
  case qualified(List)

  // Types.
  case primitive(MicrosoftPrimitive, MicrosoftQualifiers)
  case tagged(MicrosoftTag, name: ID, MicrosoftQualifiers)
  /// `parent` is the class of a pointer to its members.
  case pointer(MicrosoftPointer, to: ID, parent: ID, MicrosoftQualifiers)
  /// Dimensions are numbers; 0 is an unknown one.
  case array(of: ID, dimensions: List, MicrosoftQualifiers)
  /// The index of a `MicrosoftFunction`.
  case functionType(Int32)
  /// A name without a tag before it.
  case custom(ID)

  // Symbols.
  /// The index of a `MicrosoftFunction`.
  case function(Int32)
  case variable(ID, type: ID, MicrosoftStorage)
  /// What the compiler keeps of a type at run time.
  case typeDescriptor(of: ID, MicrosoftWord)
  case table(ID, bases: List, MicrosoftQualifiers)
  /// Bytes of `MicrosoftTree.strings`.
  case string(MicrosoftCharacter, Text, isCut: Bool)
  case entity(ID)

  // Template arguments.
  case number(UInt64, isNegative: Bool)
  /// A float where 32 bits are enough.
  case float(bits: UInt64)
  /// A class with its members, or without a type the elements of an array.
  case aggregate(ID, List)
  /// A function or variable, and for members what is added to `this`.
  case address(of: ID, isPointer: Bool, offsets: List)
}

/// The parts of a name, which the parser fills and the printer reads.
struct MicrosoftTree: ~Copyable {
  /// The mangled name.
  let bytes: UnsafePointer<UInt8>
  var nodes: Growing<MicrosoftNode>
  var elements = Growing<NodeID>(capacity: 32)
  var functions = Growing<MicrosoftFunction>(capacity: 2)
  /// The texts of string literals, with escapes.
  var strings: ByteOutput

  init(of bytes: UnsafePointer<UInt8>, capacity: Int, limit: Int) {
    self.bytes = bytes
    nodes = Growing(capacity: capacity)
    strings = ByteOutput(limit: limit)
  }
}

/// A function, or the type of one.
struct MicrosoftFunction {
  var name = NodeID.none
  var kind = MicrosoftFunctionKind.global
  var convention = MicrosoftConvention.none
  /// None for constructors and destructors.
  var result = NodeID.none
  /// `nil` for `void` in brackets.
  var parameters: NodeList?
  var isVariadic = false
  var isNoexcept = false
  var qualifiers: MicrosoftQualifiers = []
  var reference = MicrosoftReference.none
  var thunk = MicrosoftThunk.none
}

/// What a function is to its class; the letter after its name.
struct MicrosoftFunctionKind: OptionSet {
  let rawValue: UInt8
  static let isPublic = Self(rawValue: 1)
  static let isProtected = Self(rawValue: 2)
  static let isPrivate = Self(rawValue: 4)
  static let global = Self(rawValue: 8)
  static let isStatic = Self(rawValue: 16)
  static let isVirtual = Self(rawValue: 32)
  static let externC = Self(rawValue: 64)
  /// A function of C, of which only the name is known.
  static let withoutParameters = Self(rawValue: 128)
}

/// What a thunk does before it jumps. Names have the offsets as 64 or as 32 bits.
enum MicrosoftThunk {
  case none
  case virtualCall
  case adjustor(UInt32)
  case displacement(Int32, UInt32)
  case extendedDisplacement(Int32, Int32, Int32, UInt32)
}

enum MicrosoftReference: UInt8 { case none, lvalue, rvalue }

enum MicrosoftPointer: UInt8 { case pointer, reference, rvalueReference }

enum MicrosoftStorage: UInt8 { case none, isPrivate, isProtected, isPublic, global, local }

enum MicrosoftCharacter: UInt8 { case char, wide, char16, char32 }

struct MicrosoftQualifiers: OptionSet {
  let rawValue: UInt8
  static let const = Self(rawValue: 1)
  static let volatile = Self(rawValue: 2)
  static let restrict = Self(rawValue: 4)
  static let unaligned = Self(rawValue: 8)
}
