public import CrashModel
internal import Demangling
internal import Identifiers
internal import SymbolCache
public import SymbolSources

/// Finds the function, file and line of every address of a report.
///
/// A pure function of the report and the debug files: the result lists the files used and missing, image by
/// image.
public final class Symbolicator: Sendable {
  private let sources: [any SymbolSource]
  private let search: SymbolSearch
  private let unwind: UnwindSearch
  private let names = NameTable()
  private let retracer: Retracer
  private let scripts: ScriptMapper
  private let dotNet: DotNetMapper

  /// - Parameters:
  ///   - sources: The sources of debug files, the best first.
  ///   - pool: The symbol caches in use.
  public init(sources: [any SymbolSource], pool: SymbolCachePool) {
    self.sources = sources
    search = SymbolSearch(sources: sources, pool: pool)
    unwind = UnwindSearch(sources: sources, cache: pool.unwindRules)
    let mappings = MappingSearch(sources: sources)
    retracer = Retracer(search: mappings)
    scripts = ScriptMapper(search: mappings)
    dotNet = DotNetMapper(search: mappings)
  }

  /// The report with functions, files and lines wherever a debug file gives them, inlined calls as separate
  /// frames, and each image's ``LoadedImage/symbols`` set.
  ///
  /// - Parameter app: The app of the report, by which mappings that belong to a release are found.
  /// - Throws: The error of a source of debug files that fails, such as a database error: the report must
  ///   then be tried again, not treated as one without symbols.
  public func symbolicate(_ report: CrashReport, of app: String? = nil) throws -> CrashReport {
    var report = report
    let walked = try report.walkStacks(unwind, search)
    report.locateFrames()
    report.markInterruptedFrames()
    report.dropDoubtfulNames()
    var images = ImageLookUp(report, search: search)
    try report.mapStacks { try expand($0, with: &images) }
    report.images = images.images
    for index in walked.withoutRules {
      report.images[index].symbols?.noteMissingRules()
    }
    report.notes += images.notes
    try report.readAbortMessage(sources)
    let code = try report.explainFault(sources)
    let mappings = try retracer.retrace(&report, of: app)
      .merging(scripts.map(&report, of: app)) { first, _ in first }
      .merging(dotNet.map(&report)) { first, _ in first }
    report.engine = EngineRecord(
      version: engineVersion,
      debugFiles: images.usedDigests.merging(walked.digests) { symbols, _ in symbols }
        .merging(code) { symbols, _ in symbols }
        .merging(mappings) { symbols, _ in symbols },
      symbolCacheVersion: images.usedDigests.isEmpty ? nil : SymbolCache.formatVersion)
    return report
  }

  /// The stack with each frame that a debug file explains replaced by the debug file's frames.
  private func expand(_ frames: [Frame], with images: inout ImageLookUp) throws -> [Frame] {
    var result: [Frame] = []
    result.reserveCapacity(frames.count)
    var start = 0
    var isInterrupted = false
    while start < frames.count {
      // Reports may come with inlined calls as separate frames, before the frame that contains them: the
      // group is one code location, and is looked up once.
      var end = start
      while end + 1 < frames.count, frames[end].inlined,
        frames[end].hasSameAddress(as: frames[end + 1])
      {
        end += 1
      }
      var given = frames[start...end]
      if isInterrupted {
        for index in given.indices { given[index].position = .exact }
      }
      var frame = given[end]
      var found = try images.lookUp(&frame)
      if frame.mayBeTrampoline, let start = try trampoline(at: frame, in: &images) {
        frame.position = .exact
        found = start
      }
      if prefers(found, over: given) {
        append(found, at: frame, to: &result)
      } else {
        result.append(contentsOf: given.map(named))
      }
      // glibc's trampoline has no name in most reports; the code below it identifies it.
      if start > 0, end + 1 < frames.count, let last = result.last, last.isUnnamedAndExact,
        frames[end + 1].position == .exact, try images.followsNoCall(frames[end + 1])
      {
        result[result.count - 1].function = SignalTrampoline.placeholder
      }
      // Go's runtime puts the call of its function below the instruction that failed.
      isInterrupted =
        (result.last?.function ?? result.last?.symbol).map {
          SignalTrampoline.isName($0) || $0 == "runtime.sigpanic"
        } == true
      start = end + 1
    }
    return result
  }

  /// The debug file's frames where a trampoline begins at the frame's address, which is then not a return
  /// address.
  private func trampoline(
    at frame: Frame, in images: inout ImageLookUp
  ) throws -> [SourceFrame]? {
    var start = frame
    start.position = .exact
    let found = try images.lookUp(&start)
    guard found.count == 1, found[0].functionStart == start.imageOffset,
      let name = found[0].name, SignalTrampoline.isName(name)
    else { return nil }
    return found
  }

  /// A debug file with names and lines always takes precedence over the report; a bare symbol table, or a
  /// line of padding between functions, only where the report has no name.
  private func prefers(_ found: [SourceFrame], over given: ArraySlice<Frame>) -> Bool {
    guard let outermost = found.last, !outermost.isBoundary(at: given.last?.imageOffset) else {
      return false
    }
    guard let frame = given.last, frame.function != nil || frame.symbol != nil else { return true }
    return outermost.name != nil && (outermost.line != nil || found.count > 1)
  }

  private func append(_ found: [SourceFrame], at frame: Frame, to result: inout [Frame]) {
    for (index, source) in found.enumerated() {
      let isOutermost = index == found.count - 1
      var new = frame
      let name = source.name.map { names.name($0, readable: source.undecoratedName) }
      new.function = name?.function
      new.symbol = name?.symbol
      new.symbolOffset = isOutermost ? frame.offset(from: source.functionStart) : nil
      new.file = source.file
      new.line = source.line
      new.column = source.column
      new.inlined = !isOutermost
      new.trust = isOutermost ? frame.trust : .inline
      if !isOutermost {
        new.registers = []
        new.symbolSize = nil
      }
      result.append(new)
    }
  }

  /// A frame as given by the report, with a mangled name demangled.
  private func named(_ frame: Frame) -> Frame {
    guard let raw = frame.symbol ?? frame.function else { return frame }
    if frame.symbol != nil && frame.function != nil { return frame }
    let name = names.name(raw)
    var frame = frame
    frame.function = name.function
    frame.symbol = name.symbol
    return frame
  }
}

extension SymbolStatus {
  /// Notes that a file with the symbols lacks the rules; one that is missing lacks everything.
  fileprivate mutating func noteMissingRules() {
    guard verdict == .found, let file else { return }
    tried.append(SymbolCandidate(file, .noUnwindRules))
  }
}

extension SourceFrame {
  /// Whether a symbol table names the code after a symbol that is not a function.
  fileprivate func isBoundary(at offset: ImageOffset?) -> Bool {
    guard line == nil, let name else { return false }
    let start = functionStart?.value ?? .max
    let distance = offset.flatMap { $0.value >= start ? $0.value - start : nil }
    return BoundarySymbol.isName(name, offset: distance)
  }
}

extension Frame {
  /// Whether its return address may be the start of a trampoline, which glibc aligns. In walked stacks the
  /// code identifies trampolines.
  fileprivate var mayBeTrampoline: Bool {
    position == .returnAddress && function == nil && symbol == nil && trust == .given
      && imageOffset.map { $0.value & 15 == 0 } == true
  }

  /// Whether a signal's handler may have been called here, as far as is known.
  fileprivate var isUnnamedAndExact: Bool {
    position == .exact && function == nil && symbol == nil && trust == .given
  }

  /// The distance of the frame's address from the start of its function.
  fileprivate func offset(from start: ImageOffset?) -> UInt64? {
    guard let start, let imageOffset, imageOffset >= start else { return nil }
    return imageOffset.value - start.value
  }

  fileprivate func hasSameAddress(as other: Frame) -> Bool {
    if let address, let otherAddress = other.address { return address == otherAddress }
    return image == other.image && imageOffset == other.imageOffset && imageOffset != nil
  }
}

extension CrashReport {
  /// Passes each stack of the report to `body`.
  func forEachStack(_ body: ([Frame]) -> Void) {
    for thread in threads { body(thread.frames) }
    for stack in otherStacks { body(stack.frames) }
    reason.exception?.forEachStack(body)
  }

  /// Replaces each stack of the report by the result of `body`.
  mutating func mapStacks(_ body: ([Frame]) throws -> [Frame]) rethrows {
    for index in threads.indices { threads[index].frames = try body(threads[index].frames) }
    for index in otherStacks.indices {
      otherStacks[index].frames = try body(otherStacks[index].frames)
    }
    try reason.exception?.mapStacks(body)
  }
}

extension LanguageException {
  fileprivate func forEachStack(_ body: ([Frame]) -> Void) {
    body(frames)
    for exception in inner { exception.forEachStack(body) }
  }

  fileprivate mutating func mapStacks(_ body: ([Frame]) throws -> [Frame]) rethrows {
    frames = try body(frames)
    for index in inner.indices { try inner[index].mapStacks(body) }
  }
}
