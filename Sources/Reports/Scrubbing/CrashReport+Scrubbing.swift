public import CrashModel

extension Scrubber {
  /// A report with all matches of the rules removed.
  ///
  /// Scrub a report before it is symbolicated and signed, so that nothing derived from it holds the removed
  /// text. Function names and the installation's id are unchanged.
  public func scrub(_ report: CrashReport) -> CrashReport {
    var report = report
    report.user = report.user.map(user)
    report.process.path = report.process.path.map(scrub)
    report.reason.message = report.reason.message.map(scrub)
    report.reason.exception = report.reason.exception.map(scrub)
    for index in report.threads.indices {
      report.threads[index].name = report.threads[index].name.map(scrub)
      scrub(&report.threads[index].frames)
    }
    for index in report.otherStacks.indices {
      report.otherStacks[index].title = scrub(report.otherStacks[index].title)
      scrub(&report.otherStacks[index].frames)
    }
    for index in report.images.indices {
      report.images[index].path = report.images[index].path.map(scrub)
    }
    for index in report.unloadedImages.indices {
      report.unloadedImages[index].path = report.unloadedImages[index].path.map(scrub)
    }
    report.breadcrumbs = report.breadcrumbs.map(scrub)
    report.tags = scrub(report.tags, key: ReportTag.init)
    report.properties = scrub(report.properties)
    report.notes = report.notes.map(scrub)
    return report
  }

  /// The events of an app, without the matches of the rules.
  public func scrub(_ crumb: Breadcrumb) -> Breadcrumb {
    Breadcrumb(time: crumb.time, name: scrub(crumb.name), properties: scrub(crumb.properties))
  }

  private func scrub(_ values: [String: String]) -> [String: String] {
    scrub(values) { $0 }
  }

  private func scrub<Key: Comparable & CustomStringConvertible>(
    _ values: [Key: String], key: (String) -> Key
  ) -> [Key: String] {
    var scrubbed: [Key: String] = [:]
    // Two names may become one; the first in order wins, so that every run gives the same result.
    for (field, text) in values.sorted(by: { $0.key < $1.key }) {
      let shown = key(scrub(field.description))
      if scrubbed[shown] == nil { scrubbed[shown] = value(text, of: field.description) }
    }
    return scrubbed
  }

  /// Recurses as deep as a document nests exceptions; a loop would end with memory.
  private func scrub(_ exception: LanguageException) -> LanguageException {
    var exception = exception
    exception.message = exception.message.map(scrub)
    scrub(&exception.frames)
    exception.inner = exception.inner.map(scrub)
    return exception
  }

  private func scrub(_ frames: inout [Frame]) {
    for index in frames.indices {
      if let file = frames[index].file { frames[index].file = scrub(file) }
    }
  }
}
