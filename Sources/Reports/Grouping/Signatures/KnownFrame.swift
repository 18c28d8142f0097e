internal import CrashModel
internal import Synchronization

/// A frame as its texts alone show it: its name, and what lists and file say of it. It is the same in each
/// report, so it is cached.
final class KnownFrame: Sendable {
  /// The facts of a frame that count besides its texts.
  struct Facts: OptionSet, Sendable {
    let rawValue: UInt8
    /// The frame has an address or an image.
    static let isNative = Facts(rawValue: 1)
    static let isDotNet = Facts(rawValue: 2)
    /// The address is further from the symbol than functions are long.
    static let isFar = Facts(rawValue: 4)
    /// The name may be a boundary of the image in place of a function.
    static let mayBeBoundary = Facts(rawValue: 8)
  }

  private let name: NormalisedName?
  /// Rules that match its name, the strongest first; their conditions on the image are still to be tested.
  let rules: [Int32]
  private let isNamed: Bool
  private let isScript: Bool
  private let isUndecidedScript: Bool
  private let hasPlainSubject: Bool
  private let outsideRule: RuleName?
  private let packageRule: RuleName?
  private let isOldNode: Bool

  init(
    _ span: Span<Frame>, _ index: Int, _ facts: Facts, name: NormalisedName?, file: KnownFile?
  ) {
    self.name = name
    rules = name?.rules ?? []
    let isOfScript = ScriptName.isOfScript(
      span[index].file, hasAddress: facts.contains(.isNative))
    isScript = isOfScript && (name?.settled != nil || !rules.isEmpty)
    isNamed = name.map { !$0.token.isEmpty } ?? false
    isUndecidedScript = name.map { $0.handsOn && isOfScript } ?? false
    if let name, let function = span[index].function {
      hasPlainSubject = TextHash.areEqual(name.subject, function)
    } else {
      hasPlainSubject = false
    }
    outsideRule = file?.outsideRule(of: span[index].function)
    packageRule = name?.packageRule ?? file?.packageRule
    isOldNode = file?.isOldNode ?? false
  }

  /// The facts of a frame; `nil` if others count too, so that it cannot be cached.
  @inline(__always)
  static func facts(_ span: Span<Frame>, _ index: Int, _ isDotNet: Bool) -> Facts? {
    var facts: Facts = isDotNet ? [.isDotNet] : []
    let hasAddress = span[index].address != nil
    if hasAddress { facts.insert(.isNative) }
    if span[index].image != nil { facts.insert(.isNative) }
    let offset = span[index].symbolOffset
    if let offset, offset > SigningLimits.symbolBytes { facts.insert(.isFar) }
    guard span[index].file == nil, span[index].imageOffset == nil else { return facts }
    // Whether a symbol is a boundary depends on the distance from it.
    if offset != nil { return nil }
    if hasAddress { facts.insert(.mayBeBoundary) }
    return facts
  }

  /// The part of it that classified frames are made from. It counts no references: who has it keeps the
  /// known frame.
  @safe
  struct Verdict: Sendable {
    /// The frame with its name; its class is still to be decided.
    let frame: ClassifiedFrame
    /// The class if the name alone decides it.
    let settled: FrameVerdict?
    let isNamed: Bool
    /// Whether only rules for scripts hold.
    let isScript: Bool
    let hasRules: Bool
    /// The rule by which its file is not the app's.
    let outsideRule: RuleName?
    /// The rule by which it is of a bundled library if it is the app's.
    let packageRule: RuleName?
    let isOldNode: Bool
    private unowned(unsafe) let known: KnownFrame

    fileprivate init(_ known: KnownFrame) {
      var frame = ClassifiedFrame(known.name ?? .nothing, .undecided)
      frame.isScript = known.isUndecidedScript
      frame.hasPlainSubject = known.hasPlainSubject
      self.frame = frame
      settled = known.isScript ? nil : known.name?.settled
      isNamed = known.isNamed
      isScript = known.isScript
      hasRules = !known.rules.isEmpty
      outsideRule = known.outsideRule
      packageRule = known.packageRule
      isOldNode = known.isOldNode
      unsafe self.known = known
    }

    var rules: [Int32] { hasRules ? unsafe known.rules : [] }
  }

  var verdict: Verdict { Verdict(self) }
}

/// The texts of a frame while they are borrowed; one without an address for a text that there is not.
@unsafe
private struct FrameTexts {
  let function: UnsafeRawBufferPointer
  let symbol: UnsafeRawBufferPointer
  let file: UnsafeRawBufferPointer

  @inline(__always)
  static func with<Result>(
    _ function: String?, _ symbol: String?, _ file: String?, _ body: (FrameTexts) -> Result
  ) -> Result {
    unsafe with(function) { function in
      unsafe with(symbol) { symbol in
        unsafe with(file) { file in
          unsafe body(FrameTexts(function: function, symbol: symbol, file: file))
        }
      }
    }
  }

  @inline(__always)
  private static func with<Result>(
    _ text: String?, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    guard let text else { return unsafe body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return unsafe text.withBytes { unsafe body($0) }
  }

  @inline(__always)
  func hash(_ hash: TextHash, _ key: FrameKey) -> UInt64 {
    var value = UInt64(key.facts.rawValue)
    if key.function >= 0 { value = unsafe hash.hash(function, after: value) }
    if key.file >= 0 { value = unsafe hash.hash(file, after: ~value) }
    if key.symbol >= 0 { value = unsafe hash.hash(symbol, after: value) }
    return max(value, 1)
  }
}

/// The facts of a frame and the lengths of its texts, -1 for one that there is not.
private struct FrameKey: Equatable {
  let facts: KnownFrame.Facts
  let function: Int
  let symbol: Int
  let file: Int

  @inline(__always)
  init(_ function: String?, _ symbol: String?, _ file: String?, _ facts: KnownFrame.Facts) {
    self.facts = facts
    self.function = if let function { function.utf8.count } else { -1 }
    self.symbol = if let symbol { symbol.utf8.count } else { -1 }
    self.file = if let file { file.utf8.count } else { -1 }
  }

  var isShort: Bool { max(function, symbol, file) <= SigningLimits.rememberedNameBytes }
}

/// The cached frames, up to a limit: then others take their place. None is given back before all are, so that
/// who keeps this need not count references to each.
final class KnownFrames: Sendable {
  private struct Entry {
    let key: FrameKey
    /// Where its texts are.
    let texts: Int
    let verdict: KnownFrame.Verdict
  }

  private struct Table {
    /// The hash of each slot, 0 if it is free, and the index of its entry.
    var slots: [(hash: UInt64, index: Int)] = []
    var entries: [Entry] = []
    /// The texts of the entries: function, file, symbol.
    var texts: [UInt8] = []
    /// The frames that the verdicts refer to.
    var frames: [KnownFrame] = []

    @inline(__always)
    func index(_ key: FrameKey, _ texts: FrameTexts, _ hash: UInt64) -> Int? {
      guard !slots.isEmpty else { return nil }
      let mask = slots.count - 1
      for step in 0..<KnownFrames.reach {
        let slot = (Int(truncatingIfNeeded: hash) &+ step) & mask
        let index = slots[slot].index
        if slots[slot].hash == hash, entries[index].key == key,
          unsafe areEqual(texts, entries[index].texts)
        {
          return index
        }
        if slots[slot].hash == 0 { return nil }
      }
      return nil
    }

    @inline(__always)
    private func areEqual(_ borrowed: FrameTexts, _ start: Int) -> Bool {
      unsafe texts.withUnsafeBytes { all in
        guard var next = unsafe all.baseAddress.map({ unsafe $0 + start }) else { return true }
        guard unsafe TextHash.areEqual(borrowed.function, next) else { return false }
        unsafe next += borrowed.function.count
        guard unsafe TextHash.areEqual(borrowed.file, next) else { return false }
        unsafe next += borrowed.file.count
        return unsafe TextHash.areEqual(borrowed.symbol, next)
      }
    }

    mutating func insert(
      _ frame: KnownFrame, _ key: FrameKey, _ borrowed: FrameTexts, _ hash: UInt64
    ) {
      if entries.count * 2 >= slots.count { grow() }
      put(entries.count, hash)
      entries.append(Entry(key: key, texts: texts.count, verdict: frame.verdict))
      unsafe texts.append(contentsOf: borrowed.function)
      unsafe texts.append(contentsOf: borrowed.file)
      unsafe texts.append(contentsOf: borrowed.symbol)
      frames.append(frame)
    }

    private mutating func put(_ index: Int, _ hash: UInt64) {
      let mask = slots.count - 1
      var slot = 0
      for step in 0..<KnownFrames.reach {
        slot = (Int(truncatingIfNeeded: hash) &+ step) & mask
        if slots[slot].hash == 0 { break }
      }
      slots[slot] = (hash, index)
    }

    private mutating func grow() {
      let old = slots
      slots = Array(repeating: (0, 0), count: max(256, old.count * 2))
      for (hash, index) in old where hash != 0 { put(index, hash) }
    }
  }

  /// The number of slots searched for one frame: texts come from reports.
  private static let reach = 16

  private let table = Mutex(Table())
  private let capacity: Int
  private let hash = TextHash()

  init(capacity: Int) { self.capacity = capacity }

  /// Looks frames of a stack up under one lock, up to the first that is not known.
  func look(
    _ stack: ArraySlice<Frame>, _ range: Range<Int>, isDotNet: Bool,
    into verdicts: inout [KnownFrame.Verdict]
  ) {
    guard capacity > 0 else { return }
    let hash = hash
    table.withLock { table in
      // A closure may not hold a span.
      let span = stack.span
      for index in range {
        guard let facts = KnownFrame.facts(span, index, isDotNet) else { return }
        let function = span[index].function
        let symbol = span[index].symbol
        let file = span[index].file
        let key = FrameKey(function, symbol, file, facts)
        let known = unsafe FrameTexts.with(function, symbol, file) { texts in
          unsafe table.index(key, texts, texts.hash(hash, key))
        }
        guard let known else { return }
        verdicts.append(table.entries[known].verdict)
      }
    }
  }

  /// Caches a frame; `false` if it is too long or there is no room.
  func remember(
    _ frame: KnownFrame, _ stack: ArraySlice<Frame>, _ index: Int, _ facts: KnownFrame.Facts
  ) -> (isKept: Bool, isFull: Bool) {
    let span = stack.span
    let function = span[index].function
    let symbol = span[index].symbol
    let file = span[index].file
    let key = FrameKey(function, symbol, file, facts)
    guard capacity > 0, key.isShort else { return (false, false) }
    let hash = hash
    return table.withLock { table in
      guard table.entries.count < capacity else { return (false, true) }
      unsafe FrameTexts.with(function, symbol, file) { texts in
        unsafe table.insert(frame, key, texts, texts.hash(hash, key))
      }
      return (true, false)
    }
  }
}

/// The known frames of a signer.
final class FrameCache: Sendable {
  private let frames: Mutex<KnownFrames>
  private let capacity: Int

  init(capacity: Int) {
    self.capacity = capacity
    frames = Mutex(KnownFrames(capacity: capacity))
  }

  var current: KnownFrames { frames.withLock { $0 } }

  /// Begins anew if `full` is current.
  func replace(_ full: KnownFrames) {
    frames.withLock { frames in
      if frames === full { frames = KnownFrames(capacity: capacity) }
    }
  }
}
