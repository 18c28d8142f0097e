/// Names of compiler-generated entities.
enum MicrosoftWord: UInt8 {
  case anonymousNamespace, vftable, vbtable, localVftable, completeObjectLocator
  case baseClassArray, classHierarchyDescriptor, typeDescriptor, typeDescriptorName

  var text: StaticString {
    switch self {
    case .anonymousNamespace: "`anonymous namespace'"
    case .vftable: "`vftable'"
    case .vbtable: "`vbtable'"
    case .localVftable: "`local vftable'"
    case .completeObjectLocator: "`RTTI Complete Object Locator'"
    case .baseClassArray: "`RTTI Base Class Array'"
    case .classHierarchyDescriptor: "`RTTI Class Hierarchy Descriptor'"
    case .typeDescriptor: "`RTTI Type Descriptor'"
    case .typeDescriptorName: "`RTTI Type Descriptor Name'"
    }
  }
}

/// Types without a declared name.
enum MicrosoftPrimitive: UInt8 {
  case void, bool, char, signedChar, unsignedChar, char8, char16, char32, short, unsignedShort
  case int, unsignedInt, long, unsignedLong, int64, unsignedInt64, wchar, float, double, longDouble
  case nullptr, auto, decltypeAuto

  /// - Parameter code: The letter.
  init?(code: UInt8) {
    switch Unicode.Scalar(code) {
    case "X": self = .void
    case "D": self = .char
    case "C": self = .signedChar
    case "E": self = .unsignedChar
    case "F": self = .short
    case "G": self = .unsignedShort
    case "H": self = .int
    case "I": self = .unsignedInt
    case "J": self = .long
    case "K": self = .unsignedLong
    case "M": self = .float
    case "N": self = .double
    case "O": self = .longDouble
    default: return nil
    }
  }

  /// - Parameter extendedCode: The letter after an underscore.
  init?(extendedCode: UInt8) {
    switch Unicode.Scalar(extendedCode) {
    case "N": self = .bool
    case "J": self = .int64
    case "K": self = .unsignedInt64
    case "W": self = .wchar
    case "Q": self = .char8
    case "S": self = .char16
    case "U": self = .char32
    case "P": self = .auto
    case "T": self = .decltypeAuto
    default: return nil
    }
  }

  var text: StaticString {
    switch self {
    case .void: "void"
    case .bool: "bool"
    case .char: "char"
    case .signedChar: "signed char"
    case .unsignedChar: "unsigned char"
    case .char8: "char8_t"
    case .char16: "char16_t"
    case .char32: "char32_t"
    case .short: "short"
    case .unsignedShort: "unsigned short"
    case .int: "int"
    case .unsignedInt: "unsigned int"
    case .long: "long"
    case .unsignedLong: "unsigned long"
    case .int64: "__int64"
    case .unsignedInt64: "unsigned __int64"
    case .wchar: "wchar_t"
    case .float: "float"
    case .double: "double"
    case .longDouble: "long double"
    case .nullptr: "std::nullptr_t"
    case .auto: "auto"
    case .decltypeAuto: "decltype(auto)"
    }
  }

  /// The name in the style of other compilers.
  var plainText: StaticString {
    switch self {
    case .int64: "long long"
    case .unsignedInt64: "unsigned long long"
    default: text
    }
  }
}

enum MicrosoftTag: UInt8 {
  case union, `struct`, `class`, `enum`

  var text: StaticString {
    switch self {
    case .union: "union "
    case .struct: "struct "
    case .class: "class "
    case .enum: "enum "
    }
  }
}

enum MicrosoftConvention: UInt8 {
  case none, cdecl, pascal, thiscall, stdcall, fastcall, clrcall, eabi, vectorcall, swift
  case swiftAsync

  init(code: UInt8) {
    switch Unicode.Scalar(code) {
    case "A", "B": self = .cdecl
    case "C", "D": self = .pascal
    case "E", "F": self = .thiscall
    case "G", "H": self = .stdcall
    case "I", "J": self = .fastcall
    case "M", "N": self = .clrcall
    case "O", "P": self = .eabi
    case "Q": self = .vectorcall
    case "S": self = .swift
    case "W": self = .swiftAsync
    default: self = .none
    }
  }

  var text: StaticString {
    switch self {
    case .none: ""
    case .cdecl: "__cdecl"
    case .pascal: "__pascal"
    case .thiscall: "__thiscall"
    case .stdcall: "__stdcall"
    case .fastcall: "__fastcall"
    case .clrcall: "__clrcall"
    case .eabi: "__eabi"
    case .vectorcall: "__vectorcall"
    case .swift: "__attribute__((__swiftcall__)) "
    case .swiftAsync: "__attribute__((__swiftasynccall__)) "
    }
  }
}
