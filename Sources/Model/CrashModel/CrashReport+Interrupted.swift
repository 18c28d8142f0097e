internal import Identifiers

extension CrashReport {
  /// Makes the address of each frame that a signal interrupted an exact one.
  ///
  /// Hardly any format tells it from a return address, so this is done for all of them. Frames whose
  /// trampoline has no name are recognised by its library, see ``TrampolineLibrary``; walked stacks need
  /// no guess.
  ///
  /// - Parameter isPrintedByHandler: Whether the process printed its stacks itself while it handled a signal, so
  ///   that there is a trampoline on them.
  /// - Complexity: O(n) in the number of frames.
  public mutating func markInterruptedFrames(isPrintedByHandler: Bool = false) {
    var libraries = TrampolineLibraries(images, isPrintedByHandler: isPrintedByHandler)
    for index in threads.indices { threads[index].frames.markInterrupted(&libraries) }
    for index in otherStacks.indices { otherStacks[index].frames.markInterrupted(&libraries) }
    if reason.exception != nil { reason.exception?.markInterrupted(&libraries) }
  }
}

extension LanguageException {
  fileprivate mutating func markInterrupted(_ libraries: inout TrampolineLibraries) {
    frames.markInterrupted(&libraries)
    for index in inner.indices { inner[index].markInterrupted(&libraries) }
  }
}

/// The images of a report that hold trampolines, each looked at when a frame asks.
private struct TrampolineLibraries {
  private let images: [LoadedImage]
  private var known: [Int: TrampolineLibrary?] = [:]
  /// Whether the process printed its stack itself while it handled a signal.
  let isPrintedByHandler: Bool

  init(_ images: [LoadedImage], isPrintedByHandler: Bool) {
    self.images = images
    self.isPrintedByHandler = isPrintedByHandler
  }

  subscript(_ frame: Frame) -> TrampolineLibrary? {
    mutating get {
      guard let index = frame.image, images.indices.contains(index) else { return nil }
      if let library = known[index] { return library }
      let library = TrampolineLibrary(images[index])
      known[index] = .some(library)
      return library
    }
  }
}

extension [Frame] {
  fileprivate mutating func markInterrupted(_ libraries: inout TrampolineLibraries) {
    var isInterrupted = false
    var guessed: [Int] = []
    for index in indices {
      if isInterrupted {
        self[index].markExact()
        // The calls that were inlined into a frame have its address.
        if self[index].inlined { continue }
      }
      let wasInterrupted = isInterrupted
      isInterrupted = false
      if let name = self[index].function ?? self[index].symbol {
        guard SignalTrampoline.isName(name) else { continue }
        if SignalTrampoline.isRestorer(name), self[index].symbolOffset ?? 0 == 0 {
          self[index].markExact()
        }
        isInterrupted = true
      } else if index > 0, !wasInterrupted, isUnnamedTrampoline(index, &libraries) {
        self[index].markExact()
        guessed.append(index)
        isInterrupted = true
      }
    }
    // The functions above it handled the signal.
    if libraries.isPrintedByHandler, guessed.count == 1, let index = guessed.first {
      self[index].function = SignalTrampoline.placeholder
    }
  }

  /// Whether a frame without a name is a trampoline.
  private func isUnnamedTrampoline(_ index: Int, _ libraries: inout TrampolineLibraries) -> Bool {
    let frame = self[index]
    guard frame.position != .exact, frame.trust == .given, frame.file == nil, index + 1 < count
    else { return false }
    let younger = self[index - 1]
    if libraries.isPrintedByHandler, younger.handlesSignals { return true }
    guard let library = libraries[frame], younger.image != frame.image else { return false }
    switch library {
    case .vdso: return true
    case .pthread: return false
    // `_os_once_callout` calls what `pthread_once` is given.
    case .platform: return libraries[younger] != .pthread
    case .glibc:
      // Its start is at a multiple of 16, where one call in sixteen returns to; other addresses of the stack
      // must be such that only x86 has.
      guard frame.position == .returnAddress, let start = frame.addressOrOffset, start & 15 == 0,
        frame.address.map({ $0.value > UInt64(UInt32.max) }) ?? true
      else { return false }
      return contains { $0.position != .adjusted && ($0.addressOrOffset ?? 0) & 1 == 1 }
    }
  }
}

extension Frame {
  fileprivate mutating func markExact() {
    if address != nil || imageOffset != nil { position = .exact }
  }

  /// The address, or the offset into the image, which begins at a page.
  fileprivate var addressOrOffset: UInt64? { address?.value ?? imageOffset?.value }

  /// Whether the function is one that libraries handle signals by.
  fileprivate var handlesSignals: Bool {
    guard let function else { return false }
    return ["SignalHandler", "signalHandler", "signal_handler", "sigHandler"].contains {
      function.contains($0)
    }
  }
}
