/// The facts that decide the sizes of a unit's forms.
struct UnitEncoding: Hashable {
  /// In bytes: 2, 4 or 8.
  var addressSize: Int
  /// In bytes: 4 in the 32-bit format, 8 in the 64-bit one.
  var offsetSize: Int
  var version: UInt16

  /// The length of a value of `form` where the form alone decides it, in bytes.
  ///
  /// Source: DWARF 5, section 7.5.6; `DW_FORM_ref_addr` had the size of an address in version 2.
  func fixedSize(of form: UInt16) -> Int? {
    switch form {
    case Form.flagPresent, Form.implicitConstant: 0
    case Form.data1, Form.ref1, Form.flag, Form.strx1, Form.addrx1: 1
    case Form.data2, Form.ref2, Form.strx2, Form.addrx2: 2
    case Form.strx3, Form.addrx3: 3
    case Form.data4, Form.ref4, Form.strx4, Form.addrx4, Form.refSupplementary4: 4
    case Form.data8, Form.ref8, Form.refSignature8, Form.refSupplementary8: 8
    case Form.data16: 16
    case Form.address: addressSize
    case Form.strp, Form.lineStrp, Form.sectionOffset, Form.strpSupplementary,
      Form.gnuRefAlternative, Form.gnuStrpAlternative:
      offsetSize
    case Form.refAddress: version <= 2 ? addressSize : offsetSize
    default: nil
    }
  }
}
