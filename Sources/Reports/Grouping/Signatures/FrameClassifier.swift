internal import CrashModel
internal import Demangling
internal import Identifiers

/// Gives each frame of a stack its token and class.
struct FrameClassifier: Sendable {
  let rules: RulesVersion
  private let frames: FrameCache
  private let memo: NameCache<NormalisedName>
  private let images: NameCache<KnownImage>
  private let files: NameCache<KnownFile>

  init(rules: RulesVersion, remembers: Bool) {
    self.rules = rules
    let capacity = remembers ? SigningLimits.rememberedNames : 0
    frames = FrameCache(capacity: capacity)
    memo = NameCache(capacity: capacity)
    images = NameCache(capacity: capacity)
    files = NameCache(capacity: capacity)
  }

  func images(of report: CrashReport, keeping parts: KeptParts) -> ImageOwners {
    ImageOwners(report, rules: rules, memo: images, frames: frames.current, keeping: parts)
  }

  /// The frames of `stack`, as far as the limit on frames goes.
  func classify(_ stack: ArraySlice<Frame>, images: inout ImageOwners) -> [ClassifiedFrame] {
    let count = min(stack.count, SigningLimits.frames)
    let isWhole = count == stack.count
    // A span gives access to its elements' fields; a slice would copy them, which costs more than the rest.
    let span = stack.span
    let known = known(stack, 0..<count, images)
    var frames: [ClassifiedFrame] = []
    frames.reserveCapacity(count)
    // A client that marks no frame as the app's own does not know.
    images.hasMarks = false
    for index in span.indices where span[index].inApp == true {
      images.hasMarks = true
      break
    }
    let verdicts = known.span
    for index in 0..<count {
      var frame = classify(
        span, index, verdicts[index], atBottom: isWhole && index + 3 >= count, &images)
      frame.index = index
      frame.isInlined = span[index].inlined
      frames.append(frame)
    }
    frames.noteLibraries()
    return frames
  }

  /// Classifies one frame of `stack` with a known owner.
  func classify(
    _ stack: ArraySlice<Frame>, _ index: Int, isMarked: Bool, images: inout ImageOwners
  ) -> ClassifiedFrame {
    let count = min(stack.count, SigningLimits.frames)
    var frame = classify(
      stack.span, index, known(stack, index..<index + 1, images)[0],
      atBottom: count == stack.count && index + 3 >= count, &images, isMarked: isMarked)
    frame.index = index
    frame.isInlined = stack.span[index].inlined
    return frame
  }

  /// The verdicts on frames of a stack.
  private func known(
    _ stack: ArraySlice<Frame>, _ range: Range<Int>, _ images: ImageOwners
  ) -> [KnownFrame.Verdict] {
    var known: [KnownFrame.Verdict] = []
    known.reserveCapacity(range.count)
    while known.count < range.count {
      let next = range.lowerBound + known.count
      // Most are cached, so one lock covers all.
      images.frames.look(stack, next..<range.upperBound, isDotNet: images.isDotNet, into: &known)
      if known.count < range.count {
        known.append(verdict(stack, range.lowerBound + known.count, images))
      }
    }
    return known
  }

  /// The verdict on a frame that is not cached.
  private func verdict(
    _ stack: ArraySlice<Frame>, _ index: Int, _ images: ImageOwners
  ) -> KnownFrame.Verdict {
    let span = stack.span
    let raw = rawName(span, index, isDotNet: images.isDotNet)
    let file = if let file = span[index].file { self.file(file) } else { KnownFile?.none }
    let facts = KnownFrame.facts(span, index, images.isDotNet)
    let frame = KnownFrame(
      span, index, facts ?? Self.factsOfOther(span, index), name: raw.map(name), file: file)
    if let facts {
      let (isKept, isFull) = images.frames.remember(frame, stack, index, facts)
      if isKept { return frame.verdict }
      if isFull { frames.replace(images.frames) }
    }
    return images.parts.keep(frame).verdict
  }

  /// The facts of a frame that cannot be cached, as far as its class depends on them.
  private static func factsOfOther(_ span: Span<Frame>, _ index: Int) -> KnownFrame.Facts {
    if span[index].address != nil { return [.isNative] }
    return span[index].image == nil ? [] : [.isNative]
  }

  private func name(_ raw: String) -> NormalisedName {
    guard memo.remembers(raw) else { return NormalisedName(raw, rules: rules) }
    // A recursion repeats its names.
    if let found = memo.look({ $0.value(of: raw) }), let name = found { return name }
    let name = NormalisedName(raw, rules: rules)
    memo.remember([name])
    return name
  }

  func file(_ path: String) -> KnownFile {
    guard files.remembers(path) else { return KnownFile(path) }
    if let found = files.look({ $0.value(of: path) }), let file = found { return file }
    let file = KnownFile(path)
    files.remember([file])
    return file
  }

  /// - Parameter isMarked: Whether the frame is the app's own, if a custom rule decides it.
  private func classify(
    _ span: Span<Frame>, _ index: Int, _ known: KnownFrame.Verdict, atBottom: Bool,
    _ images: inout ImageOwners, isMarked: Bool? = nil
  ) -> ClassifiedFrame {
    // Without `??`: the optimiser cannot compile its closure over a span.
    var inApp = if let isMarked { isMarked } else { span[index].inApp }
    var frame = known.frame
    if let settled = known.settled, settled.frameClass != .system || inApp != true {
      frame.isScript = false
      frame.take(settled)
      return frame
    }
    var image: ImageOwners.ImageOwner?
    if let number = span[index].image { image = images.verdict(number) }
    guard known.isNamed else { return nameless(span, index, image, &images, inApp) }
    if inApp == false, isMarked == nil, !images.hasMarks, let image, image.isProgram { inApp = nil }
    for number in known.hasRules ? known.rules : [] {
      let rule = rules.classes.rule(number)
      if known.isScript && !rule.holdsForScripts { continue }
      if rule.onlyAtBottom && !atBottom { continue }
      if rule.onlyOutsideApp && (inApp ?? (image?.origin == .app)) { continue }
      if rule.hasModule && !rule.fits(module: image?.name) { continue }
      guard let verdict = FrameVerdict(rule) else { continue }
      if verdict.frameClass == .system && inApp == true { break }
      frame.isScript = false
      frame.take(verdict)
      return frame
    }
    frame.take(owner(known, image, inApp))
    if frame.frameClass == .app, inApp != true { frame.packageRule = known.packageRule }
    return frame
  }

  /// The name to normalise. Swift's mangled names hold more than the short text that tools print.
  private func rawName(_ span: Span<Frame>, _ index: Int, isDotNet: Bool) -> String? {
    guard let raw = Self.plainName(span, index) else { return nil }
    // Without it the name reads as one of Swift, where parentheses belong to it.
    if isDotNet, raw.hasSuffix("()") { return String(raw.dropLast(2)) }
    let name = ScriptName.plain(raw, span[index].file)
    return TopLevelName.mayBe(name) ? TopLevelName.name(name, file: span[index].file) : name
  }

  private static func plainName(_ span: Span<Frame>, _ index: Int) -> String? {
    // A closure, which `??` and `||` make of their second side, may not hold a span.
    let (symbol, address) = (span[index].symbol, span[index].address)
    let symbolOffset = span[index].symbolOffset
    if let symbolOffset, symbolOffset > SigningLimits.symbolBytes { return nil }
    if let symbol, isSwift(symbol) { return symbol }
    guard let function = span[index].function ?? symbol else { return nil }
    if span[index].file == nil {
      // Where the image's load address is known, the name was removed from the frame already. Functions of
      // scripts may have such names; their frames have neither address nor distance.
      if span[index].imageOffset == nil,
        address != nil || symbolOffset != nil,
        BoundarySymbol.isName(function, offset: symbolOffset)
      {
        return nil
      }
      if let (name, offset) = distance(in: function), BoundarySymbol.isName(name, offset: offset) {
        return nil
      }
    }
    if distance(in: function)?.offset ?? 0 > SigningLimits.symbolBytes { return nil }
    if let file = span[index].file, file.utf8.suffix(3).elementsEqual(".py".utf8) {
      return SourceOwner.pythonName(function, file)
    }
    return function
  }

  /// The name and the distance in text such as `Exported+0x15a519c`.
  private static func distance(in text: String) -> (name: String, offset: UInt64)? {
    // The last byte decides for nearly all names.
    guard let last = text.lastByte, last.isHexDigit || last == UInt8(ascii: "+"),
      let plus = text.utf8.suffix(12).lastIndex(of: UInt8(ascii: "+"))
    else { return nil }
    let digits = text.utf8[plus...].dropFirst()
    guard digits.starts(with: "0x".utf8),
      let offset = UInt64(String(decoding: digits.dropFirst(2), as: UTF8.self), radix: 16)
    else { return nil }
    return (String(text[..<plus]), offset)
  }

  static func isSwift(_ symbol: String) -> Bool {
    var bytes = symbol.utf8.makeIterator()
    var first = bytes.next()
    if first == UInt8(ascii: "_") { first = bytes.next() }
    guard first == UInt8(ascii: "$") || first == UInt8(ascii: "T") else { return false }
    return symbol.utf8.count <= SigningLimits.nameBytes
      && (symbol.hasPrefix("$s") || symbol.hasPrefix("_$s") || symbol.hasPrefix("$S")
        || symbol.hasPrefix("_$S") || symbol.hasPrefix("$e") || symbol.hasPrefix("_T0"))
  }

  /// The frame's name in the report, for the record of steps.
  static func subject(_ span: Span<Frame>, _ frame: ClassifiedFrame) -> String {
    if frame.isNamed {
      // The frame's own text was read already, the cached one may be far.
      if frame.hasPlainSubject, let function = span[frame.index].function { return function }
      return frame.subject
    }
    guard let raw = plainName(span, frame.index) else {
      let address = span[frame.index].address
      let offset = span[frame.index].imageOffset
      return address?.description ?? offset?.description ?? ""
    }
    return NormalisedName.shortened(raw)
  }

  /// Whether a named function is the app's own.
  private func owner(
    _ known: KnownFrame.Verdict, _ image: ImageOwners.ImageOwner?, _ inApp: Bool?
  ) -> FrameVerdict {
    if let inApp { return inApp ? Self.markedOwn : Self.markedForeign }
    if let rule = known.outsideRule { return FrameVerdict(.system, rule) }
    guard let image else { return known.isOldNode ? Self.oldNode : Self.noImage }
    switch image.origin {
    case .app, .undecided: return FrameVerdict(.app, image.rule)
    case .system, .platform, .package: return FrameVerdict(.system, image.rule)
    }
  }

  private static let markedOwn = FrameVerdict(.app, RuleName("the report's own mark"))
  private static let markedForeign = FrameVerdict(.system, RuleName("the report's own mark"))
  private static let oldNode = FrameVerdict(.base, RuleName("source file of Node"))
  private static let noImage = FrameVerdict(.app, RuleName("no image known"))
  private static let nothing = FrameVerdict(.void, RuleName("neither function nor image"))
  private static let unnamedImage = FrameVerdict(
    .void, RuleName("image that the report does not name"))
  private static let noFunction = FrameVerdict(.unknown, RuleName("no function"))

  private func nameless(
    _ span: Span<Frame>, _ index: Int, _ image: ImageOwners.ImageOwner?,
    _ images: inout ImageOwners, _ inApp: Bool?
  ) -> ClassifiedFrame {
    guard let image, !image.isUnnamed else {
      let location = images.locationWithoutName(of: span[index])
      var frame = ClassifiedFrame(.nothing, location == nil ? Self.nothing : Self.unnamedImage)
      frame.locate(at: location, keeping: images.parts)
      return frame
    }
    let runtimeRule = inApp == true ? nil : image.runtimeRule
    var frame = ClassifiedFrame(
      image.spelling, runtimeRule.map { FrameVerdict(.death, $0) } ?? Self.noFunction)
    if image.isProgram || (inApp ?? (image.origin == .app)) {
      frame.locate(at: images.location(of: span[index], image), keeping: images.parts)
    }
    return frame
  }
}

extension String {
  /// The last byte of its UTF-8.
  fileprivate var lastByte: UInt8? {
    let last = unsafe utf8.withContiguousStorageIfAvailable { unsafe $0.last }
    return last ?? utf8.last
  }
}

extension ImageOwners {
  /// The location of a frame in an image that the report does not list, or only without its name.
  func locationWithoutName(of frame: borrowing Frame) -> ProvisionalLocation? {
    let index = frame.image
    let image = index.flatMap { images.indices.contains($0) ? images[$0] : nil }
    guard let offset = frame.imageOffset, !isAddress(offset, in: image) else { return nil }
    let build = image.flatMap(build).map { " " + $0 } ?? ""
    return ProvisionalLocation(
      token: "[?\(build)]+\(frame.position.lookUp(offset))", debugID: image?.debugID)
  }

  /// Whether an offset is an address that is not relative to an image: no image begins at 0 or is larger than
  /// 4 GiB.
  private func isAddress(_ offset: ImageOffset, in image: LoadedImage?) -> Bool {
    image?.base?.value == 0 || offset.value > UInt64(UInt32.max)
  }

  /// The location of a frame in an image of the app whose debug file is missing so far.
  func location(of frame: borrowing Frame, _ verdict: ImageOwner) -> ProvisionalLocation? {
    guard let index = frame.image, images.indices.contains(index) else { return nil }
    let image = images[index]
    // If the debug file is there and has no name, there is nothing to wait for.
    guard image.symbols?.verdict != .found else { return nil }
    guard let offset = frame.imageOffset ?? frame.address.flatMap({ image.offset(of: $0) }) else {
      return symbolLocation(of: frame, verdict, image)
    }
    let build = build(of: image).map { " " + $0 } ?? ""
    return ProvisionalLocation(
      token: "[\(verdict.name.text)\(build)]+\(frame.position.lookUp(offset))",
      debugID: image.debugID)
  }

  /// The location if the report gives the distance from some symbol, and no offset into the image:
  /// `[tern]+_init+0x2a8`.
  private func symbolLocation(
    of frame: borrowing Frame, _ verdict: ImageOwner, _ image: LoadedImage
  ) -> ProvisionalLocation? {
    guard let name = frame.symbol ?? frame.function, let offset = frame.symbolOffset else {
      return nil
    }
    let lookUpOffset = frame.position.lookUp(ImageOffset(offset))
    return ProvisionalLocation(
      token: "[\(verdict.name.text)]+\(NormalisedName.shortened(name))+\(lookUpOffset)",
      debugID: image.debugID)
  }
}
