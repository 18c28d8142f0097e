internal import Bytes

/// The attributes of a function, an inlined call or a unit, as they stand: what needs the unit's
/// bases is not resolved yet, since a base may follow its use.
struct Entry {
  /// A number and the form it was written in; form 0 is an absent attribute.
  struct Value {
    var number: UInt64 = 0
    var form: UInt16 = 0
    @inline(__always) var isPresent: Bool { form != 0 }
  }

  var lowPC = Value()
  var highPC = Value()
  var ranges = Value()
  var origin = Value()
  var specification = Value()
  var name = Value()
  var linkageName = Value()
  var callFile: UInt64 = 0
  var callLine: UInt64 = 0
  var callColumn: UInt64 = 0
  /// All ones where it is absent: version 5 numbers files from 0.
  var declarationFile: UInt64 = .max
  var declarationLine: UInt64 = 0
}

/// The attributes of a unit's root entry.
struct RootEntry {
  var lowPC = Entry.Value()
  var highPC = Entry.Value()
  var ranges = Entry.Value()
  var compilationDirectory = Entry.Value()
  var statementList = Entry.Value()
  var language: UInt64 = 0
  /// The compiler, its version and often its flags.
  var producer = Entry.Value()
  var stringOffsetsBase: UInt64?
  var addressBase: UInt64?
  var rangeListsBase: UInt64?
  var gnuRangesBase: UInt64?
  var hasCode = false
  /// The file that holds the unit's entries.
  var dwoName = Entry.Value()
  /// By which the unit is found there, up to version 4.
  var gnuDwoID: UInt64?
}

extension Cursor {
  /// The number that `form` stands for here; for text and blocks the offset at which they begin.
  @_lifetime(self: copy self)
  @inline(__always)
  mutating func value(
    of form: inout UInt16, constant: Int64, encoding: UnitEncoding
  ) -> UInt64 {
    switch form {
    case Form.data1, Form.ref1, Form.flag, Form.strx1, Form.addrx1: return UInt64(byte())
    case Form.data2, Form.ref2, Form.strx2, Form.addrx2: return UInt64(u16())
    case Form.data4, Form.ref4, Form.strx4, Form.addrx4, Form.refSupplementary4:
      return UInt64(u32())
    case Form.data8, Form.ref8, Form.refSignature8, Form.refSupplementary8: return u64()
    case Form.strp, Form.lineStrp, Form.sectionOffset, Form.strpSupplementary,
      Form.gnuRefAlternative, Form.gnuStrpAlternative:
      return encoding.offsetSize == 4 ? UInt64(u32()) : u64()
    case Form.address: return unsigned(size: encoding.addressSize)
    case Form.udata, Form.refUdata, Form.strx, Form.addrx, Form.locationListIndex,
      Form.rangeListIndex, Form.gnuAddressIndex, Form.gnuStringIndex:
      return uleb()
    case Form.sdata: return UInt64(bitPattern: sleb())
    case Form.implicitConstant: return UInt64(bitPattern: constant)
    case Form.flagPresent: return 1
    default: return rareValue(of: &form, encoding: encoding)
    }
  }

  @_lifetime(self: copy self)
  @inline(never)
  private mutating func rareValue(of form: inout UInt16, encoding: UnitEncoding) -> UInt64 {
    if form == Form.indirect {
      form = UInt16(clamping: uleb())
      // A form that names its form again would never end.
      if form == Form.indirect || form == Form.implicitConstant {
        fail()
        return 0
      }
      if let size = encoding.fixedSize(of: form), size <= 8 {
        return size == 0 ? 1 : unsigned(size: size)
      }
      switch form {
      case Form.udata, Form.refUdata, Form.strx, Form.addrx, Form.locationListIndex,
        Form.rangeListIndex, Form.gnuAddressIndex, Form.gnuStringIndex:
        return uleb()
      case Form.sdata: return UInt64(bitPattern: sleb())
      default: break
      }
    }
    let start = UInt64(truncatingIfNeeded: offset)
    switch form {
    case Form.string: skipString()
    case Form.block1: skip(UInt64(byte()))
    case Form.block2: skip(UInt64(u16()))
    case Form.block4: skip(UInt64(u32()))
    case Form.block, Form.expression: skip(uleb())
    case Form.data16: skip(16)
    case Form.refAddress: return unsigned(size: encoding.fixedSize(of: form) ?? 0)
    case Form.strx3, Form.addrx3: return unsigned(size: 3)
    default: fail()
    }
    return start
  }

  /// Reads the attributes that `plan` names.
  @_lifetime(self: copy self)
  mutating func read(
    _ entry: inout Entry, plan: Span<PlanStep>, from start: Int, count: Int, encoding: UnitEncoding
  ) {
    var index = start
    let end = start &+ count
    while index < end {
      let step = plan[index]
      index &+= 1
      skip(Int(step.before))
      var form = step.form
      let number = value(of: &form, constant: step.constant, encoding: encoding)
      switch step.role {
      case .name: entry.name = Entry.Value(number: number, form: form)
      case .linkageName: entry.linkageName = Entry.Value(number: number, form: form)
      case .lowPC: entry.lowPC = Entry.Value(number: number, form: form)
      case .highPC: entry.highPC = Entry.Value(number: number, form: form)
      case .ranges: entry.ranges = Entry.Value(number: number, form: form)
      case .origin: entry.origin = Entry.Value(number: number, form: form)
      case .specification: entry.specification = Entry.Value(number: number, form: form)
      case .callFile: entry.callFile = number
      case .callLine: entry.callLine = number
      case .callColumn: entry.callColumn = number
      case .declarationFile: entry.declarationFile = number
      case .declarationLine: entry.declarationLine = number
      default: break
      }
    }
  }

  /// Reads the attributes of a root entry that `plan` names.
  @_lifetime(self: copy self)
  mutating func read(
    _ root: inout RootEntry, plan: Span<PlanStep>, from start: Int, count: Int,
    encoding: UnitEncoding
  ) {
    for index in start..<(start + count) {
      let step = plan[index]
      skip(Int(step.before))
      var form = step.form
      let number = value(of: &form, constant: step.constant, encoding: encoding)
      switch step.role {
      case .lowPC:
        root.lowPC = Entry.Value(number: number, form: form)
        root.hasCode = true
      case .highPC: root.highPC = Entry.Value(number: number, form: form)
      case .ranges:
        root.ranges = Entry.Value(number: number, form: form)
        root.hasCode = true
      case .compilationDirectory:
        root.compilationDirectory = Entry.Value(number: number, form: form)
      case .statementList: root.statementList = Entry.Value(number: number, form: form)
      case .language: root.language = number
      case .producer: root.producer = Entry.Value(number: number, form: form)
      case .stringOffsetsBase: root.stringOffsetsBase = number
      case .addressBase: root.addressBase = number
      case .rangeListsBase: root.rangeListsBase = number
      case .gnuRangesBase: root.gnuRangesBase = number
      case .dwoName: root.dwoName = Entry.Value(number: number, form: form)
      case .gnuDwoID: root.gnuDwoID = number
      default: break
      }
    }
  }
}
