internal import Bytes
internal import CrashModel
internal import Demangling
internal import Identifiers

extension CrashReport {
  /// Completes each frame's address, image and offset from the other two.
  mutating func locateFrames() {
    locateByHeaders()
    let map = ImageMap(images)
    for index in threads.indices { map.locate(&threads[index].frames) }
    for index in otherStacks.indices { map.locate(&otherStacks[index].frames) }
    if reason.exception != nil { reason.exception?.locateFrames(map) }
    nameUnloaded()
  }

  /// Derives load addresses that the report does not give: the distance from a symbol at the image's start is
  /// the offset, and shows the load address: `_mh_execute_header + 16576`.
  private mutating func locateByHeaders() {
    var bases: [Int: Set<UInt64>] = [:]
    let images = images
    mapStacks { frames in
      frames.map { frame in
        guard let image = frame.image, images.indices.contains(image), images[image].base == nil,
          frame.imageOffset == nil, frame.file == nil, let offset = frame.symbolOffset,
          let name = frame.symbol ?? frame.function, BoundarySymbol.isImageStart(name)
        else { return frame }
        var frame = frame
        frame.imageOffset = ImageOffset(offset)
        if let address = frame.address { bases[image, default: []].insert(address.value &- offset) }
        return frame
      }
    }
    for (image, found) in bases {
      // Images begin on a page.
      guard found.count == 1, let base = found.first, base > 0, base & 0xfff == 0 else { continue }
      self.images[image].base = Address(base)
    }
  }

  /// Names the unloaded image of a frame that is in no image: nothing else is known of the frame.
  private mutating func nameUnloaded() {
    // If several occupied an address one after another, the latest is named: Windows appends to its list.
    let gone = unloadedImages.filter { $0.base != nil && $0.size != nil }
    guard !gone.isEmpty else { return }
    for thread in threads.indices {
      for index in threads[thread].frames.indices {
        let frame = threads[thread].frames[index]
        guard frame.image == nil, frame.function == nil, let address = frame.address,
          let image = gone.last(where: { $0.offset(of: frame.position.lookUp(address)) != nil }),
          let base = image.base
        else { continue }
        threads[thread].frames[index].function = "<unloaded \(image.name)>"
        threads[thread].frames[index].symbolOffset = address.value - base.value
      }
    }
  }
}

extension LanguageException {
  fileprivate mutating func locateFrames(_ map: ImageMap) {
    map.locate(&frames)
    for index in inner.indices { inner[index].locateFrames(map) }
  }
}

extension CrashReport {
  /// The code locations of the frames in images that have no build id, by image, each once.
  ///
  /// Locations where the program stopped are left out, as it may have jumped anywhere: the youngest frame of
  /// a crashed thread, and code that a signal interrupted.
  var addressesWithoutBuildID: [Int: [ImageAddress]] {
    let nameless = Set(images.indices.filter { !images[$0].hasBuildID })
    return nameless.isEmpty ? [:] : witnesses(in: nameless) { $0.imageOffset }
  }

  /// The code locations of frames in images whose load address the report does not give, with addresses
  /// instead of offsets. Kernels are left out, as their addresses vary.
  var addressesWithoutOffset: [Int: [ImageAddress]] {
    guard process.name != "kernel" else { return [:] }
    let unlocated = Set(images.indices.filter { images[$0].base == nil })
    return unlocated.isEmpty
      ? [:]
      : witnesses(in: unlocated) { frame in
        frame.imageOffset == nil ? frame.address.map { ImageOffset($0.value) } : nil
      }
  }

  /// The code locations of the frames in some images that can confirm a debug file, each once.
  private func witnesses(
    in wanted: Set<Int>, _ offset: (Frame) -> ImageOffset?
  ) -> [Int: [ImageAddress]] {
    var addresses: [Int: [ImageAddress]] = [:]
    var known: [Int: Set<ImageAddress>] = [:]
    func add(_ frames: some Sequence<Frame>, crashed: Bool = false) {
      for frame in frames {
        // A word found on the stack by a scan need not be a return address.
        guard let image = frame.image, wanted.contains(image), frame.trust != .scan,
          !(crashed && frame.position == .exact), let offset = offset(frame)
        else { continue }
        let address = ImageAddress(offset: offset, position: frame.position)
        if known[image, default: []].insert(address).inserted {
          addresses[image, default: []].append(address)
        }
      }
    }
    for thread in threads {
      // The calls that were inlined into the youngest frame are at its address.
      let youngest = thread.crashed ? thread.frames.firstIndex { !$0.inlined }.map { $0 + 1 } : nil
      add(thread.frames.dropFirst(youngest ?? 0), crashed: thread.crashed)
    }
    for stack in otherStacks { add(stack.frames) }
    var exceptions = [reason.exception].compactMap(\.self)
    while let exception = exceptions.popLast() {
      add(exception.frames)
      exceptions += exception.inner
    }
    return addresses
  }
}

/// The images of a report sorted by address.
struct ImageMap {
  /// The largest extent of an image whose size is unknown: larger than any image, and smaller than the
  /// distance between programs and libraries.
  private static let largestImage: UInt64 = 1 << 30

  private let images: [LoadedImage]
  private let order: [Int]

  init(_ images: [LoadedImage]) {
    self.images = images
    // Equal bases keep the report's order, so that the result does not depend on the sort.
    order = images.indices
      .filter { images[$0].base != nil }
      .sorted { (images[$0].base ?? Address(0), $0) < (images[$1].base ?? Address(0), $1) }
  }

  func locate(_ frames: inout [Frame]) {
    for index in frames.indices { locate(&frames[index]) }
  }

  private func locate(_ frame: inout Frame) {
    if frame.image == nil, let address = frame.address {
      // A return address at the very start of an image belongs to the call that ended the preceding one.
      frame.image = image(at: frame.position.lookUp(address))
    }
    guard let index = frame.image, images.indices.contains(index) else {
      frame.image = nil
      return
    }
    if frame.imageOffset == nil, let address = frame.address, let base = images[index].base,
      address >= base
    {
      frame.imageOffset = ImageOffset(address.value - base.value)
    } else if frame.address == nil, let offset = frame.imageOffset, let base = images[index].base {
      let (sum, overflow) = base.value.addingReportingOverflow(offset.value)
      if !overflow { frame.address = Address(sum) }
    }
  }

  func image(at address: Address) -> Int? {
    let low = order.lowerBound { index in images[index].base.map { $0 <= address } ?? false }
    guard low > 0 else { return nil }
    let index = order[low - 1]
    guard let offset = images[index].offset(of: address) else { return nil }
    return images[index].size == nil && offset.value > Self.largestImage ? nil : index
  }
}
