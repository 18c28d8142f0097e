internal import CrashModel

extension SignatureMaker {
  /// The report with a mark on each frame without one: the app's own code, or not.
  ///
  /// Frames beyond the limit, and those of images of unknown origin, stay unmarked.
  func marking(_ report: CrashReport, app: String) -> CrashReport {
    let facts = RuleContext(
      report, product: app, category: report.signature?.category ?? .signal)
    let parts = KeptParts()
    defer { withExtendedLifetime(parts) {} }
    var images = classifier.images(of: report, keeping: parts)
    var marked = report
    for index in marked.threads.indices { mark(&marked.threads[index].frames, facts, &images) }
    for index in marked.otherStacks.indices {
      mark(&marked.otherStacks[index].frames, facts, &images)
    }
    if var exception = marked.reason.exception {
      mark(&exception, facts, &images, depth: 0)
      marked.reason.exception = exception
    }
    return marked
  }

  private func mark(
    _ exception: inout LanguageException, _ facts: RuleContext, _ images: inout ImageOwners,
    depth: Int
  ) {
    mark(&exception.frames, facts, &images)
    guard depth < SigningLimits.markedCauses else { return }
    for index in exception.inner.indices {
      mark(&exception.inner[index], facts, &images, depth: depth + 1)
    }
  }

  private func mark(
    _ stack: inout [Frame], _ facts: RuleContext, _ images: inout ImageOwners
  ) {
    var frames = classifier.classify(stack[...], images: &images)
    let verdict = own.map { apply($0, to: &frames, of: stack[...], facts, &images) }
    for found in frames {
      if let mark = verdict?.frames[found.index]?.mark {
        stack[found.index].inApp = mark
      } else if stack[found.index].inApp == nil {
        stack[found.index].inApp = isOwn(stack[found.index], found, &images)
      }
    }
  }

  func isOwn(
    _ frame: Frame, _ found: ClassifiedFrame, _ images: inout ImageOwners
  ) -> Bool? {
    switch found.frameClass {
    case .app: return true
    case .system: return false
    // The role of such a function does not show its owner: `main` is the app's.
    case .death, .base, .glue, .unknown, .void: break
    }
    if let file = frame.file, classifier.file(file).outsideRule(of: nil) != nil { return false }
    switch frame.image.flatMap({ images.verdict($0) })?.origin {
    case .app: return true
    case .system, .platform, .package: return false
    case .undecided, nil: return nil
    }
  }
}
