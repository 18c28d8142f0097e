internal import CrashModel
internal import Demangling
internal import Identifiers

/// Gives each frame of a stack its token and class.
struct FrameClassifier: Sendable {
  let rules: RulesVersion
  private let memo: NameCache<NormalisedName>
  private let images: NameCache<KnownImage>
  private let files: NameCache<KnownFile>

  init(rules: RulesVersion, remembers: Bool) {
    self.rules = rules
    memo = NameCache(capacity: remembers ? SigningLimits.rememberedNames : 0)
    images = NameCache(capacity: remembers ? SigningLimits.rememberedNames : 0)
    files = NameCache(capacity: remembers ? SigningLimits.rememberedNames : 0)
  }

  func images(of report: CrashReport) -> ImageOwners {
    ImageOwners(report, rules: rules, memo: images)
  }

  /// The frames of `stack`, as far as the limit on frames goes.
  func classify(_ stack: ArraySlice<Frame>, images: inout ImageOwners) -> [ClassifiedFrame] {
    let count = min(stack.count, SigningLimits.frames)
    let isWhole = count == stack.count
    let names = names(of: stack.prefix(count), isDotNet: images.isDotNet)
    var frames: [ClassifiedFrame] = []
    frames.reserveCapacity(count)
    // A span gives access to its elements' fields; a slice would copy them, which costs more than the rest.
    let span = stack.span
    // A client that marks no frame as the app's own does not know.
    images.hasMarks = span.indices.contains { span[$0].inApp == true }
    for index in 0..<count {
      frames.append(
        classify(span, index, names[index], atBottom: isWhole && index + 3 >= count, &images))
    }
    frames.noteLibraries()
    return frames
  }

  /// Classifies one frame of `stack` with a known owner.
  func classify(
    _ stack: ArraySlice<Frame>, _ index: Int, isMarked: Bool, images: inout ImageOwners
  ) -> ClassifiedFrame {
    let count = min(stack.count, SigningLimits.frames)
    return classify(
      stack.span, index, rawName(stack.span, index, isDotNet: images.isDotNet).map(name),
      atBottom: count == stack.count && index + 3 >= count, &images, isMarked: isMarked)
  }

  /// The names of the frames that have one.
  private func names(of stack: ArraySlice<Frame>, isDotNet: Bool) -> [NormalisedName?] {
    // Most are cached, so one lock covers all.
    let known = memo.look { table in
      let span = stack.span
      var names: [NormalisedName?] = []
      names.reserveCapacity(span.count)
      for index in span.indices {
        names.append(rawName(span, index, isDotNet: isDotNet).flatMap { table.value(of: $0) })
      }
      return names
    }
    var names = known ?? Array(repeating: nil, count: stack.count)
    let span = stack.span
    for index in names.indices where names[index] == nil {
      if let raw = rawName(span, index, isDotNet: isDotNet) { names[index] = name(raw) }
    }
    return names
  }

  private func name(_ raw: String) -> NormalisedName {
    guard memo.remembers(raw) else { return NormalisedName(raw, rules: rules) }
    // A recursion repeats its names.
    if let found = memo.look({ $0.value(of: raw) }), let name = found { return name }
    let name = NormalisedName(raw, rules: rules)
    memo.remember([name])
    return name
  }

  private func file(_ path: String) -> KnownFile {
    guard files.remembers(path) else { return KnownFile(path) }
    if let found = files.look({ $0.value(of: path) }), let file = found { return file }
    let file = KnownFile(path)
    files.remember([file])
    return file
  }

  /// - Parameter isMarked: Whether the frame is the app's own, if a custom rule decides it.
  private func classify(
    _ span: Span<Frame>, _ index: Int, _ name: NormalisedName?, atBottom: Bool,
    _ images: inout ImageOwners, isMarked: Bool? = nil
  ) -> ClassifiedFrame {
    // Without `??`: the optimiser cannot compile its closure over a span.
    var inApp = if let isMarked { isMarked } else { span[index].inApp }
    guard let name else {
      return nameless(span, index, span[index].image.flatMap { images.verdict($0) }, images, inApp)
    }
    // Neither `&&` nor `||` may hold the span, as with `??`.
    let isNative = if span[index].address != nil { true } else { span[index].image != nil }
    var isScript = name.settled != nil || !name.rules.isEmpty
    if isScript { isScript = ScriptName.isOfScript(span[index].file, hasAddress: isNative) }
    if let verdict = isScript ? nil : name.settled, verdict.frameClass != .system || inApp != true {
      return ClassifiedFrame(index, name, verdict, isInlined: span[index].inlined)
    }
    let image = span[index].image.flatMap { images.verdict($0) }
    if inApp == false, isMarked == nil, !images.hasMarks, let image, let number = span[index].image,
      images.isProgram(number, image)
    {
      inApp = nil
    }
    guard !name.token.isEmpty else { return nameless(span, index, image, images, inApp) }
    for number in name.rules {
      let rule = rules.classes.rule(number)
      if isScript && !rule.holdsForScripts { continue }
      if rule.onlyAtBottom && !atBottom { continue }
      if rule.onlyOutsideApp && (inApp ?? (image?.origin == .app)) { continue }
      if !rule.fits(module: image?.name) { continue }
      guard let verdict = FrameVerdict(rule) else { continue }
      if verdict.frameClass == .system && inApp == true { break }
      return ClassifiedFrame(index, name, verdict, isInlined: span[index].inlined)
    }
    let verdict = owner(span, index, image, inApp)
    var frame = ClassifiedFrame(index, name, verdict, isInlined: span[index].inlined)
    if name.handsOn {
      frame.isScript = ScriptName.isOfScript(span[index].file, hasAddress: isNative)
    }
    if verdict.frameClass == .app, inApp != true {
      let file = span[index].file
      frame.packageRule = name.packageRule ?? file.flatMap { self.file($0).packageRule }
    }
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
    if frame.spelling.isFunction { return frame.spelling.subject }
    guard let raw = plainName(span, frame.index) else {
      let address = span[frame.index].address
      let offset = span[frame.index].imageOffset
      return address?.description ?? offset?.description ?? ""
    }
    return NormalisedName.shortened(raw)
  }

  /// Whether a named function is the app's own.
  private func owner(
    _ span: Span<Frame>, _ index: Int, _ image: ImageOwners.ImageOwner?, _ inApp: Bool?
  ) -> FrameVerdict {
    if let inApp { return FrameVerdict(inApp ? .app : .system, "the report's own mark") }
    if let file = span[index].file,
      let rule = self.file(file).outsideRule(of: span[index].function)
    {
      return FrameVerdict(.system, rule)
    }
    guard let image else {
      if let file = span[index].file, SourceOwner.isOldNode(file) {
        return FrameVerdict(.base, "source file of Node")
      }
      return FrameVerdict(.app, "no image known")
    }
    switch image.origin {
    case .app, .undecided: return FrameVerdict(.app, image.rule)
    case .system, .platform, .package: return FrameVerdict(.system, image.rule)
    }
  }

  private func nameless(
    _ span: Span<Frame>, _ index: Int, _ image: ImageOwners.ImageOwner?, _ images: ImageOwners,
    _ inApp: Bool?
  ) -> ClassifiedFrame {
    guard let image, !image.isUnnamed else {
      let location = images.locationWithoutName(of: span[index])
      return ClassifiedFrame(
        index, .nothing,
        FrameVerdict(
          .void,
          location == nil ? "neither function nor image" : "image that the report does not name"),
        isInlined: span[index].inlined, location: location)
    }
    let runtimeRule = inApp == true ? nil : image.runtimeRule
    let isProgram = span[index].image.map { images.isProgram($0, image) } ?? false
    return ClassifiedFrame(
      index, image.spelling,
      FrameVerdict(runtimeRule == nil ? .unknown : .death, runtimeRule ?? "no function"),
      isInlined: span[index].inlined,
      location: isProgram || (inApp ?? (image.origin == .app))
        ? images.location(of: span[index], image) : nil)
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
