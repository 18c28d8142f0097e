// Numbers of the standard that are used here. Source: DWARF 5, sections 7.2 to 7.25, and for the
// GNU and LLVM ones the headers of those projects.
//
// They are computed properties so that a `switch` over them is one over plain numbers.

/// The tags of entries that hold code, or that hold none for sure.
enum Tag {
  static var arrayType: UInt16 { 0x01 }
  static var classType: UInt16 { 0x02 }
  static var enumerationType: UInt16 { 0x04 }
  static var compileUnit: UInt16 { 0x11 }
  static var structureType: UInt16 { 0x13 }
  static var subroutineType: UInt16 { 0x15 }
  static var unionType: UInt16 { 0x17 }
  static var inlinedSubroutine: UInt16 { 0x1d }
  static var subprogram: UInt16 { 0x2e }
  static var namespace: UInt16 { 0x39 }
  static var partialUnit: UInt16 { 0x3c }
  static var typeUnit: UInt16 { 0x41 }
  static var callSite: UInt16 { 0x48 }
  static var skeletonUnit: UInt16 { 0x4a }
  static var gnuCallSite: UInt16 { 0x4109 }
}

enum AttributeName {
  static var sibling: UInt64 { 0x01 }
  static var name: UInt64 { 0x03 }
  static var statementList: UInt64 { 0x10 }
  static var lowPC: UInt64 { 0x11 }
  static var highPC: UInt64 { 0x12 }
  static var language: UInt64 { 0x13 }
  static var compilationDirectory: UInt64 { 0x1b }
  static var producer: UInt64 { 0x25 }
  static var abstractOrigin: UInt64 { 0x31 }
  static var declarationFile: UInt64 { 0x3a }
  static var declarationLine: UInt64 { 0x3b }
  static var external: UInt64 { 0x3f }
  static var specification: UInt64 { 0x47 }
  static var ranges: UInt64 { 0x55 }
  static var callColumn: UInt64 { 0x57 }
  static var callFile: UInt64 { 0x58 }
  static var callLine: UInt64 { 0x59 }
  static var linkageName: UInt64 { 0x6e }
  static var stringOffsetsBase: UInt64 { 0x72 }
  static var addressBase: UInt64 { 0x73 }
  static var rangeListsBase: UInt64 { 0x74 }
  static var dwoName: UInt64 { 0x76 }
  static var mipsLinkageName: UInt64 { 0x2007 }
  static var gnuDwoName: UInt64 { 0x2130 }
  static var gnuDwoID: UInt64 { 0x2131 }
  static var gnuRangesBase: UInt64 { 0x2132 }
  static var gnuAddressBase: UInt64 { 0x2133 }
}

/// How an attribute's value is written.
enum Form {
  static var address: UInt16 { 0x01 }
  static var block2: UInt16 { 0x03 }
  static var block4: UInt16 { 0x04 }
  static var data2: UInt16 { 0x05 }
  static var data4: UInt16 { 0x06 }
  static var data8: UInt16 { 0x07 }
  static var string: UInt16 { 0x08 }
  static var block: UInt16 { 0x09 }
  static var block1: UInt16 { 0x0a }
  static var data1: UInt16 { 0x0b }
  static var flag: UInt16 { 0x0c }
  static var sdata: UInt16 { 0x0d }
  static var strp: UInt16 { 0x0e }
  static var udata: UInt16 { 0x0f }
  static var refAddress: UInt16 { 0x10 }
  static var ref1: UInt16 { 0x11 }
  static var ref2: UInt16 { 0x12 }
  static var ref4: UInt16 { 0x13 }
  static var ref8: UInt16 { 0x14 }
  static var refUdata: UInt16 { 0x15 }
  static var indirect: UInt16 { 0x16 }
  static var sectionOffset: UInt16 { 0x17 }
  static var expression: UInt16 { 0x18 }
  static var flagPresent: UInt16 { 0x19 }
  static var strx: UInt16 { 0x1a }
  static var addrx: UInt16 { 0x1b }
  static var refSupplementary4: UInt16 { 0x1c }
  static var strpSupplementary: UInt16 { 0x1d }
  static var data16: UInt16 { 0x1e }
  static var lineStrp: UInt16 { 0x1f }
  static var refSignature8: UInt16 { 0x20 }
  static var implicitConstant: UInt16 { 0x21 }
  static var locationListIndex: UInt16 { 0x22 }
  static var rangeListIndex: UInt16 { 0x23 }
  static var refSupplementary8: UInt16 { 0x24 }
  static var strx1: UInt16 { 0x25 }
  static var strx2: UInt16 { 0x26 }
  static var strx3: UInt16 { 0x27 }
  static var strx4: UInt16 { 0x28 }
  static var addrx1: UInt16 { 0x29 }
  static var addrx2: UInt16 { 0x2a }
  static var addrx3: UInt16 { 0x2b }
  static var addrx4: UInt16 { 0x2c }
  static var gnuAddressIndex: UInt16 { 0x1f01 }
  static var gnuStringIndex: UInt16 { 0x1f02 }
  static var gnuRefAlternative: UInt16 { 0x1f20 }
  static var gnuStrpAlternative: UInt16 { 0x1f21 }
  static var llvmAddrxOffset: UInt16 { 0x2001 }
}

enum Language {
  /// C++ in any year of the standard, and with Objective-C; and a unit that does not say, as those are that
  /// dwz makes.
  ///
  /// Names of other languages have their modules in them, or are all linkage names.
  static func hasScopedNames(_ code: UInt64) -> Bool {
    switch code {
    case 0, 0x04, 0x11, 0x19, 0x1a, 0x21, 0x2a, 0x2b, 0x3a: true
    default: false
    }
  }

  /// C in any year of the standard: no function can stand inside a type there.
  static func isC(_ code: UInt64) -> Bool {
    code == 0x01 || code == 0x02 || code == 0x0c || code == 0x1d || code == 0x2c || code == 0x3e
  }
}
