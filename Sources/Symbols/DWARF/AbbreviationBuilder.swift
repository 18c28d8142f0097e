internal import Bytes

/// Reads abbreviation tables, one after the other.
struct AbbreviationBuilder {
  private(set) var entries: [Abbreviation] = []
  private(set) var skips: [SkipStep] = []
  private(set) var plans: [PlanStep] = []
  private(set) var isDense = true
  private(set) var byteCount = 0
  private let attributeLimit = DWARFLimits().attributes

  /// Reads the table at `offset` of the section, in place of what was read before; what is damaged
  /// ends it.
  ///
  /// - Parameter last: Nothing after the abbreviation of this number is read.
  mutating func read(
    _ section: RawSpan, at offset: Int, encoding: UnitEncoding, isBigEndian: Bool,
    upTo last: UInt64? = nil
  ) {
    entries.removeAll(keepingCapacity: true)
    skips.removeAll(keepingCapacity: true)
    plans.removeAll(keepingCapacity: true)
    isDense = true
    var cursor = Cursor(
      section, isBigEndian: isBigEndian, from: offset, to: section.byteCount)
    while !cursor.isAtEnd {
      let code = cursor.uleb()
      if code == 0 { break }
      let tag = cursor.uleb()
      let hasChildren = cursor.byte() != 0
      guard let number = UInt32(exactly: code), !cursor.failed else { break }
      if number != UInt32(truncatingIfNeeded: entries.count &+ 1) { isDense = false }
      readAttributes(
        of: number, tag: UInt16(truncatingIfNeeded: tag), hasChildren: hasChildren,
        encoding: encoding, from: &cursor)
      if code == last { break }
    }
    byteCount = cursor.offset - min(offset, cursor.offset)
    if !isDense { sortEntries() }
  }

  /// Sorts by code; of several with one code the first counts.
  private mutating func sortEntries() {
    let order = entries.indices.sorted {
      (entries[$0].code, $0) < (entries[$1].code, $1)
    }
    entries = order.map { entries[$0] }
  }

  private mutating func readAttributes(
    of code: UInt32, tag: UInt16, hasChildren: Bool, encoding: UnitEncoding,
    from cursor: inout Cursor
  ) {
    var entry = Abbreviation(code: code, kind: .plain, hasChildren: hasChildren)
    entry.skipStart = UInt32(truncatingIfNeeded: skips.count)
    entry.planStart = UInt32(truncatingIfNeeded: plans.count)
    entry.traits = Self.traits(of: tag)
    let isRead = Self.isReadWhole(tag)
    var fixed = 0  // bytes since the last skip step
    var planned = 0  // bytes since the last plan step
    var offset: Int? = 0  // where the attribute lies in the entry, while that is known
    var siblingOffset: Int?
    var hasCode = false
    var attributeCount = 0
    while !cursor.isAtEnd {
      let attribute = cursor.uleb()
      let form = UInt16(clamping: cursor.uleb())
      let constant = form == Form.implicitConstant ? cursor.sleb() : 0
      if attribute == 0 && form == 0 { break }
      attributeCount += 1
      if attributeCount > attributeLimit { entry.kind = .unreadable }
      if entry.kind == .unreadable { continue }
      let role = isRead ? AttributeRole(attribute) : .none
      if role == .linkageName { entry.traits.insert(.linkageName) }
      if attribute == AttributeName.external { entry.traits.insert(.external) }
      if role == .lowPC || role == .ranges { hasCode = true }
      if let size = encoding.fixedSize(of: form) {
        if attribute == AttributeName.sibling, form == Form.ref4 { siblingOffset = offset }
        offset = offset.map { $0 + size }
        fixed += size
        if isRead, role != .none {
          plans.append(
            PlanStep(
              before: UInt32(truncatingIfNeeded: planned), form: form, role: role,
              constant: constant))
          planned = 0
        } else {
          planned += size
        }
      } else if let kind = Self.skipKind(of: form) {
        offset = nil
        skips.append(SkipStep(bits: kind | UInt32(truncatingIfNeeded: fixed) &<< 8))
        fixed = 0
        if isRead {
          plans.append(
            PlanStep(
              before: UInt32(truncatingIfNeeded: planned), form: form, role: role, constant: 0))
          planned = 0
        }
      } else {
        entry.kind = .unreadable
      }
    }
    if isRead, planned > 0 {
      // The last step carries what follows the last attribute of interest.
      plans.append(
        PlanStep(
          before: UInt32(truncatingIfNeeded: planned), form: Form.flagPresent, role: .none,
          constant: 0))
    }
    entry.tail = UInt32(truncatingIfNeeded: fixed)
    entry.skipCount = UInt16(
      truncatingIfNeeded: skips.count &- Int(entry.skipStart))
    entry.planCount = UInt16(truncatingIfNeeded: plans.count &- Int(entry.planStart))
    if let siblingOffset { entry.siblingOffset = UInt32(truncatingIfNeeded: siblingOffset) }
    if entry.kind != .unreadable {
      entry.kind = Self.kind(
        of: tag, hasCode: hasCode, hasSibling: siblingOffset != nil && hasChildren)
    }
    entries.append(entry)
  }

  private static func isReadWhole(_ tag: UInt16) -> Bool {
    switch tag {
    case Tag.subprogram, Tag.inlinedSubroutine, Tag.compileUnit, Tag.partialUnit, Tag.skeletonUnit,
      Tag.typeUnit, Tag.namespace, Tag.structureType, Tag.unionType, Tag.classType:
      true
    default: false
    }
  }

  private static func traits(of tag: UInt16) -> EntryTraits {
    switch tag {
    case Tag.namespace: .namespace
    case Tag.structureType, Tag.unionType, Tag.classType: .type
    default: []
    }
  }

  private static func kind(of tag: UInt16, hasCode: Bool, hasSibling: Bool) -> EntryKind {
    switch tag {
    case Tag.subprogram: hasCode ? .function : .declaration
    case Tag.inlinedSubroutine: .inlined
    case Tag.compileUnit, Tag.partialUnit, Tag.skeletonUnit, Tag.typeUnit: .unit
    case Tag.enumerationType, Tag.arrayType, Tag.subroutineType, Tag.callSite, Tag.gnuCallSite:
      hasSibling ? .leafTree : .plain
    case Tag.structureType, Tag.unionType, Tag.classType: hasSibling ? .leafTreeInC : .plain
    default: .plain
    }
  }

  private static func skipKind(of form: UInt16) -> UInt32? {
    switch form {
    case Form.sdata, Form.udata, Form.refUdata, Form.strx, Form.addrx, Form.locationListIndex,
      Form.rangeListIndex, Form.gnuAddressIndex, Form.gnuStringIndex:
      SkipStep.Kind.leb
    case Form.string: SkipStep.Kind.string
    case Form.block1: SkipStep.Kind.block1
    case Form.block2: SkipStep.Kind.block2
    case Form.block4: SkipStep.Kind.block4
    case Form.block, Form.expression: SkipStep.Kind.block
    case Form.indirect: SkipStep.Kind.indirect
    default: nil
    }
  }
}
