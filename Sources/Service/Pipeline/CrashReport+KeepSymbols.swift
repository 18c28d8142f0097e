internal import CrashModel

extension CrashReport {
  /// Copies symbols from `old` for debug files that are no longer available, such as files supplied for one
  /// run only, or removed since.
  ///
  /// - Parameter old: The same report as symbolicated before.
  mutating func keepSymbols(of old: CrashReport) {
    // Images for mappings come last, and there may be more of them if no mapping was found.
    guard images.count >= old.images.count,
      images.dropFirst(old.images.count).allSatisfy(\.isManaged)
    else { return }
    var lost: Set<Int> = []
    for index in old.images.indices {
      let (new, old) = (images[index], old.images[index])
      guard old.symbols?.verdict == .found, new.symbols?.verdict == .missing,
        (new.debugID, new.codeID, new.name) == (old.debugID, old.codeID, old.name)
      else { continue }
      // A file found by name is not missing but refuted if another build has the name now.
      let refuted: Set<SymbolCandidate.Verdict> = [.ambiguous, .wrongCode]
      if new.symbols?.tried.contains(where: { refuted.contains($0.verdict) }) == true { continue }
      lost.insert(index)
      images[index].symbols = old.symbols
    }
    guard !lost.isEmpty else { return }
    for index in lost {
      guard let id = images[index].debugID, let digest = old.engine?.debugFiles[id] else {
        continue
      }
      engine?.debugFiles[id] = digest
    }
    for index in threads.indices.prefix(old.threads.count) {
      threads[index].frames = threads[index].frames.keeping(old.threads[index].frames, of: lost)
    }
    for index in otherStacks.indices.prefix(old.otherStacks.count) {
      otherStacks[index].frames =
        otherStacks[index].frames.keeping(old.otherStacks[index].frames, of: lost)
    }
    if let exception = old.reason.exception { reason.exception?.keep(exception, of: lost) }
    if lost.contains(where: { images[$0].isManaged }) { keepTypes(of: old) }
  }
}

extension CrashReport {
  /// Copies the types and messages that a mapping explained.
  private mutating func keepTypes(of old: CrashReport) {
    reason.type = old.reason.type
    reason.message = old.reason.message
    for index in otherStacks.indices.prefix(old.otherStacks.count) {
      otherStacks[index].title = old.otherStacks[index].title
    }
    if let exception = old.reason.exception { reason.exception?.keepTypes(of: exception) }
  }
}

extension LanguageException {
  fileprivate mutating func keepTypes(of old: LanguageException) {
    type = old.type
    message = old.message
    for index in inner.indices.prefix(old.inner.count) {
      inner[index].keepTypes(of: old.inner[index])
    }
  }

  fileprivate mutating func keep(_ old: LanguageException, of lost: Set<Int>) {
    frames = frames.keeping(old.frames, of: lost)
    for index in inner.indices.prefix(old.inner.count) {
      inner[index].keep(old.inner[index], of: lost)
    }
  }
}

extension [Frame] {
  /// Returns the frames, with calls into some images replaced by those of `old`. Nothing changes unless both
  /// have the same calls.
  fileprivate func keeping(_ old: [Frame], of images: Set<Int>) -> [Frame] {
    let (calls, oldCalls) = (calls, old.calls)
    guard calls.count == oldCalls.count else { return self }
    return zip(calls, oldCalls).flatMap { call, old in
      guard let frame = call.last, let known = old.last, let image = frame.image,
        images.contains(image), known.image == image, known.imageOffset == frame.imageOffset
      else { return call }
      return old
    }
  }

  /// The frames, each with the preceding calls that were inlined into it.
  private var calls: [ArraySlice<Frame>] {
    split(after: { !$0.inlined })
  }

  private func split(after ends: (Frame) -> Bool) -> [ArraySlice<Frame>] {
    var parts: [ArraySlice<Frame>] = []
    var start = startIndex
    for index in indices where ends(self[index]) {
      parts.append(self[start...index])
      start = index + 1
    }
    if start < endIndex { parts.append(self[start...]) }
    return parts
  }
}
