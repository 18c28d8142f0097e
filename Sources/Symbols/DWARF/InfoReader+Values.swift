internal import Bytes

extension InfoReader {
  /// An address, direct or out of `.debug_addr`.
  @inline(__always)
  func address(
    _ value: Entry.Value, _ unit: Unit, _ spans: borrowing SectionSpans
  ) -> UInt64? {
    if value.form == Form.address { return value.number }
    return indexedAddress(value, unit, spans)
  }

  @inline(never)
  private func indexedAddress(
    _ value: Entry.Value, _ unit: Unit, _ spans: borrowing SectionSpans
  ) -> UInt64? {
    switch value.form {
    case Form.addrx, Form.addrx1, Form.addrx2, Form.addrx3, Form.addrx4, Form.gnuAddressIndex:
      SectionSpans.element(
        of: spans.addresses, base: unit.addressBase, index: value.number,
        size: unit.header.encoding.addressSize, isBigEndian: spans.isBigEndian)
    default: nil
    }
  }

  /// Where a text lies; `none` for one in a file that is not here.
  func text(
    _ value: Entry.Value, _ unit: Unit, _ spans: borrowing SectionSpans
  ) -> TextReference {
    switch value.form {
    case Form.string: return TextReference(.info, Int(clamping: value.number), file: spans.file)
    case Form.strp: return reference(.strings, value.number, spans)
    case Form.strpSupplementary, Form.gnuStrpAlternative:
      guard spans.alternateFile > 0, value.number < UInt64(spans.alternateStrings.byteCount)
      else { return .none }
      return TextReference(
        .strings, Int(truncatingIfNeeded: value.number), file: spans.alternateFile)
    case Form.lineStrp: return reference(.lineStrings, value.number, spans)
    case Form.strx, Form.strx1, Form.strx2, Form.strx3, Form.strx4, Form.gnuStringIndex:
      guard
        let offset = SectionSpans.element(
          of: spans.stringOffsets, base: unit.stringOffsetsBase, index: value.number,
          size: unit.header.encoding.offsetSize, isBigEndian: spans.isBigEndian)
      else { return .none }
      return reference(.strings, offset, spans)
    default: return .none
    }
  }

  private func reference(
    _ section: TextReference.Section, _ offset: UInt64, _ spans: borrowing SectionSpans
  ) -> TextReference {
    let span = spans.span(of: section)
    guard offset < UInt64(span.byteCount) else { return .none }
    return TextReference(
      section, Int(truncatingIfNeeded: offset), file: section == .lineStrings ? 0 : spans.file)
  }

  /// The entry that a reference means, as an offset in the section, or with ``alternateBit`` in that of
  /// the file that several objects share.
  @inline(__always)
  func target(_ value: Entry.Value, _ unit: Unit) -> Int? {
    switch value.form {
    case Form.ref1, Form.ref2, Form.ref4, Form.ref8, Form.refUdata:
      let (sum, overflow) = value.number.addingReportingOverflow(
        UInt64(truncatingIfNeeded: unit.header.offset))
      return overflow ? nil : Int(exactly: sum)
    case Form.refAddress: return Int(exactly: value.number)
    case Form.gnuRefAlternative, Form.refSupplementary4, Form.refSupplementary8:
      return value.number < UInt64(Self.alternateBit)
        ? Int(truncatingIfNeeded: value.number) | Self.alternateBit : nil
    default: return nil  // a type signature
    }
  }

  /// Marks an offset in the file that several objects share.
  static var alternateBit: Int { 1 &<< 62 }

  /// Whether a linker wrote `address` over one of code that it dropped: all ones, or all ones less
  /// one where all ones has a meaning of its own.
  @inline(__always)
  static func isTombstone(_ address: UInt64, addressSize: Int) -> Bool {
    address >= (addressSize == 8 ? UInt64.max : 1 &<< UInt64(addressSize * 8) &- 1) &- 1
  }
}
