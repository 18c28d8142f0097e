/// Texts that names have in common.
enum ItaniumWord: UInt8 {
  // Types.
  case void, wchar, bool, char, signedChar, unsignedChar, short, unsignedShort, int, unsignedInt
  case long, unsignedLong, longLong, unsignedLongLong, int128, unsignedInt128, float, double
  case longDouble, float128, ellipsis, decimal32, decimal64, decimal128, half, bfloat16, char32
  case char16, char8, auto, decltypeAuto, nullptrType, struct_, union_, enum_, complex, imaginary
  case accumulator, fraction, saturating, unsigned
  case spaceAuto, spaceDecltypeAuto, floatN, floatNx, pixelVector, noexcept
  // Names.
  case std, anonymousNamespace, stringLiteral, blockLiteral
  // Special names.
  case vtable, vtt, typeInfo, typeInfoName, covariantThunk, virtualThunk, nonVirtualThunk
  case threadWrapper, threadInitialiser, guardVariable, reference, moduleInitialiser
  case templateObject, transactionClone, nonTransactionClone, block
  // Expressions.
  case true_, false_, nullptr, this, throw_, empty, u, l, ul, ll, ull
  case alignof, sizeof, sizeofPack, typeid, decltype, noexceptOperator
  // Invented parameters.
  case typeParameter, valueParameter, templateParameter

  var text: StaticString {
    switch self {
    case .void: "void"
    case .wchar: "wchar_t"
    case .bool: "bool"
    case .char: "char"
    case .signedChar: "signed char"
    case .unsignedChar: "unsigned char"
    case .short: "short"
    case .unsignedShort: "unsigned short"
    case .int: "int"
    case .unsignedInt: "unsigned int"
    case .long: "long"
    case .unsignedLong: "unsigned long"
    case .longLong: "long long"
    case .unsignedLongLong: "unsigned long long"
    case .int128: "__int128"
    case .unsignedInt128: "unsigned __int128"
    case .float: "float"
    case .double: "double"
    case .longDouble: "long double"
    case .float128: "__float128"
    case .ellipsis: "..."
    case .decimal32: "decimal32"
    case .decimal64: "decimal64"
    case .decimal128: "decimal128"
    case .half: "half"
    case .bfloat16: "std::bfloat16_t"
    case .char32: "char32_t"
    case .char16: "char16_t"
    case .char8: "char8_t"
    case .auto: "auto"
    case .decltypeAuto: "decltype(auto)"
    case .nullptrType: "std::nullptr_t"
    case .struct_: "struct"
    case .union_: "union"
    case .enum_: "enum"
    case .complex: " complex"
    case .imaginary: " imaginary"
    case .accumulator: "_Accum"
    case .fraction: "_Fract"
    case .saturating: "_Sat"
    case .unsigned: "unsigned"
    case .spaceAuto: " auto"
    case .spaceDecltypeAuto: " decltype(auto)"
    case .floatN: "_Float"
    case .floatNx: "_Float"
    case .pixelVector: "pixel vector["
    case .noexcept: "noexcept"
    case .std: "std"
    case .anonymousNamespace: "(anonymous namespace)"
    case .stringLiteral: "string literal"
    case .blockLiteral: "'block-literal'"
    case .vtable: "vtable for "
    case .vtt: "VTT for "
    case .typeInfo: "typeinfo for "
    case .typeInfoName: "typeinfo name for "
    case .covariantThunk: "covariant return thunk to "
    case .virtualThunk: "virtual thunk to "
    case .nonVirtualThunk: "non-virtual thunk to "
    case .threadWrapper: "thread-local wrapper routine for "
    case .threadInitialiser: "thread-local initialization routine for "
    case .guardVariable: "guard variable for "
    case .reference: "reference temporary for "
    case .moduleInitialiser: "initializer for module "
    case .templateObject: "template parameter object for "
    case .transactionClone: "transaction clone for "
    case .nonTransactionClone: "non-transaction clone for "
    case .block: "invocation function for block in "
    case .true_: "true"
    case .false_: "false"
    case .nullptr: "nullptr"
    case .this: "this"
    case .throw_: "throw"
    case .empty: ""
    case .u: "u"
    case .l: "l"
    case .ul: "ul"
    case .ll: "ll"
    case .ull: "ull"
    case .alignof: "alignof "
    case .sizeof: "sizeof "
    case .sizeofPack: "sizeof... "
    case .typeid: "typeid "
    case .decltype: "decltype"
    case .noexceptOperator: "noexcept "
    case .typeParameter: "$T"
    case .valueParameter: "$N"
    case .templateParameter: "$TT"
    }
  }
}

/// The names that `Sa`, `Sb`, `Ss`, `Si`, `So` and `Sd` abbreviate.
enum ItaniumLibraryType: UInt8 {
  case allocator, basicString, string, istream, ostream, iostream

  init?(_ letter: UInt8) {
    switch letter {
    case UInt8(ascii: "a"): self = .allocator
    case UInt8(ascii: "b"): self = .basicString
    case UInt8(ascii: "s"): self = .string
    case UInt8(ascii: "i"): self = .istream
    case UInt8(ascii: "o"): self = .ostream
    case UInt8(ascii: "d"): self = .iostream
    default: return nil
    }
  }

  /// The text after `std::`.
  var short: StaticString {
    switch self {
    case .allocator: "allocator"
    case .basicString: "basic_string"
    case .string: "string"
    case .istream: "istream"
    case .ostream: "ostream"
    case .iostream: "iostream"
    }
  }

  /// The name of the template, which its constructors have, too.
  var template: StaticString {
    switch self {
    case .allocator: "allocator"
    case .basicString, .string: "basic_string"
    case .istream: "basic_istream"
    case .ostream: "basic_ostream"
    case .iostream: "basic_iostream"
    }
  }

  /// The template's arguments.
  var arguments: StaticString {
    switch self {
    case .allocator, .basicString: ""
    case .string: "<char, std::char_traits<char>, std::allocator<char>>"
    case .istream, .ostream, .iostream: "<char, std::char_traits<char>>"
    }
  }
}
