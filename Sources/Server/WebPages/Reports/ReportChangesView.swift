internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ReportDocument

/// The history of a report's reprocessing, and the changes of one time.
struct ReportChangesView {
  let call: PageCall
  let stored: StoredReport

  private static let mostRows = 60
  private static let mostNames = 6

  init(_ call: PageCall, _ stored: StoredReport) {
    self.call = call
    self.stored = stored
  }

  /// Empty for a report that was never reprocessed. The address selects the change, by default the last.
  func list() throws -> HTML {
    let versions = try call.service.versions(ofReport: stored.id)
    guard let last = versions.versions.last else { return .none }
    let wanted = call.request.query["change"].flatMap { Int($0) }
    let shown = versions.versions.contains { $0.number == wanted } ? wanted : last.number
    let rows = versions.versions.reversed().prefix(Self.mostRows).map { version -> HTML in
      let link: HTML =
        version.number == shown
        ? "<b>\(version.number)</b>"
        : "<a href=\"?change=\(version.number)#changes\">\(version.number)</a>"
      return """
        <tr><td class="number">\(link)</td><td>\(PageText.time(version.replaced, now: call.now))</td>\
        <td>\(why(version))</td></tr>

        """
    }
    return """
      <table><thead><tr><th class="number">Change</th><th>When</th><th>Why</th></tr></thead>
      <tbody>\(Array(rows))</tbody></table>
      \(try change(shown, of: versions))
      """
  }

  private func why(_ version: ReportVersion) -> String {
    guard !version.arrived.isEmpty else { return "reprocessed without new debug files" }
    let names = version.arrived.prefix(Self.mostNames).map { id in
      let image = stored.report.images.first { $0.possibleDebugIDs.contains(id) }
      return [image?.name, id.description].compactMap { $0 }.joined(separator: " ")
    }
    let left = version.arrived.count - names.count
    return "new debug files: " + names.joined(separator: ", ")
      + (left > 0 ? " and \(left) more" : "")
  }

  private func change(_ number: Int?, of versions: ReportVersions) throws -> HTML {
    let change: ReportChange
    do {
      guard let found = try ReportChange(number, of: versions, from: call.service) else {
        return .none
      }
      change = found
    } catch StoreError.damagedBlob(_, let reason) {
      return "<p>The earlier version of the report is damaged: \(reason)</p>"
    } catch let error as ServiceError {
      return "<p>\(error.message)</p>"
    }
    let diff = change.diff
    let isUnchanged = diff.frames.isEmpty && diff.images.isEmpty && !diff.isSignatureChanged
    let same: HTML =
      isUnchanged && change.groups.old == change.groups.new
      ? "<p class=\"quiet\">Functions, lines and images did not change.</p>" : .none
    return """
      \(facts(change))\(same)\(images(diff))\(frames(diff))
      """
  }

  private func facts(_ change: ReportChange) -> HTML {
    let diff = change.diff
    let pairs = [
      ("Title", diff.old.signature?.text ?? "none", diff.new.signature?.text ?? "none"),
      ("Group", change.groups.old, change.groups.new),
      ("Made by", diff.old.engine?.version ?? "", diff.new.engine?.version ?? ""),
    ].filter { $0.1 != $0.2 }
    guard !pairs.isEmpty else { return .none }
    let rows = pairs.map { label, old, new -> HTML in
      "<tr><th scope=\"row\">\(label)</th><td class=\"mono\">\(HTML.name(old))</td><td class=\"mono\">\(HTML.name(new))</td></tr>"
    }
    return """
      <table class="sides"><thead><tr><td></td><th>Before</th><th>After</th></tr></thead><tbody>\(rows)</tbody></table>

      """
  }

  private func images(_ diff: ReportDiff) -> HTML {
    guard !diff.images.isEmpty else { return .none }
    let rows = diff.images.prefix(Self.mostRows).map { change -> HTML in
      let (old, new) = (Self.words(change.old), Self.words(change.new))
      return """
        <tr><td>\(HTML.name(change.image.name))</td><td>\(old)</td>\
        <td>\(old == new ? "\(new), other candidates" : new)</td></tr>

        """
    }
    return """
      <table class="sides"><thead><tr><th>Image</th><th>Before</th><th>After</th></tr></thead>
      <tbody>\(rows)</tbody></table>\(Self.rest(diff.images.count - rows.count))
      """
  }

  private static func words(_ status: SymbolStatus?) -> String {
    guard let status else { return "not looked for" }
    return status.isSymbolsOnly ? "functions only" : status.short
  }

  /// The frames of the threads; the report's main thread comes first.
  private func frames(_ diff: ReportDiff) -> HTML {
    guard !diff.frames.isEmpty else { return .none }
    let crashed = diff.new.crashedThread
    let all = diff.frames.enumerated().sorted { one, other in
      (one.element.thread == crashed ? 0 : 1, one.offset)
        < (other.element.thread == crashed ? 0 : 1, other.offset)
    }.map(\.element)
    let rows = all.prefix(Self.mostRows).map { change -> HTML in
      """
      <tr><td class="number">\(diff.new.threads[change.thread].index)</td>\
      <td class="mono">\(lines(change.old, change.oldIndex, diff.old))</td>\
      <td class="mono">\(lines(change.new, change.newIndex, diff.new))</td></tr>

      """
    }
    return """
      <table class="sides"><thead><tr><th class="number">Thread</th><th>Frames before</th><th>After</th></tr></thead>
      <tbody>\(rows)</tbody></table>\(Self.rest(all.count - rows.count))
      """
  }

  private func lines(_ frames: [Frame], _ start: Int, _ report: CrashReport) -> [HTML] {
    frames.prefix(Self.mostRows).enumerated().map { offset, frame in
      let text = FrameText(frame, in: report)
      let inlined: HTML = text.isInlined ? " <span class=\"tag\">inlined</span>" : .none
      let location: HTML =
        text.beside.isEmpty ? .none : "<div class=\"where small\">\(HTML.name(text.beside))</div>"
      return "<div>\(start + offset) \(HTML.name(text.name))\(inlined)\(location)</div>"
    }
  }

  private static func rest(_ left: Int) -> HTML {
    left > 0 ? "<p class=\"quiet\">and \(left) more</p>\n" : .none
  }
}
