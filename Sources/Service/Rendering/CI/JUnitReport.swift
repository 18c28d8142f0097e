internal import Bytes
internal import CrashModel
internal import CrashService
package import Pipeline
internal import TriageModel

/// A triage as a JUnit report: a suite for each app, with a failed test for each group.
///
/// Groups of the baseline are skipped tests, files that cannot be read are tests that ended with an error.
///
/// Source: the XML schema of Jenkins' xUnit plugin, `junit-10.xsd`; docs.gitlab.com, "Unit test reports".
package struct JUnitReport {
  private let triage: TriageResult
  private let root: SourceRoot

  package init(_ triage: TriageResult, root: SourceRoot) {
    self.triage = triage
    self.root = root
  }

  package var text: String {
    var suites = ""
    var apps: [String] = []
    for group in triage.groups where !apps.contains(group.summary.app) {
      apps.append(group.summary.app)
    }
    for app in apps { suites += suite(of: app) }
    let unreadable = triage.unreadable
    if !unreadable.isEmpty { suites += suite(of: unreadable) }
    let failed = triage.groups.filter { $0.isNew != false }.count
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="mayday triage" tests="\(triage.groups.count + unreadable.count)" \
      failures="\(failed)" errors="\(unreadable.count)">
      \(suites)</testsuites>

      """
  }

  private func suite(of app: String) -> String {
    let findings = triage.groups.filter { $0.summary.app == app }
      .map { TriageFinding($0, root: root) }
    let known = findings.filter(\.isKnown).count
    var names: Set<String> = []
    var text = Self.start(
      app.isEmpty ? "no app" : app, tests: findings.count, failures: findings.count - known,
      errors: 0, skipped: known)
    for finding in findings {
      // Services take tests of one name for one test.
      let isFirst = names.insert(finding.name).inserted
      let key = finding.group.summary.signature.key.prefix(8)
      text += testCase(finding, name: isFirst ? finding.name : "\(finding.name) [\(key)]")
    }
    return text + "  </testsuite>\n"
  }

  private func testCase(_ finding: TriageFinding, name: String) -> String {
    let place = [
      finding.file.map { "file=\"\(XMLText.escaped($0))\"" },
      finding.file == nil ? nil : finding.line.map { "line=\"\($0)\"" },
    ].compactMap(\.self).map { " " + $0 }.joined()
    let app = XMLText.escaped(finding.group.summary.app)
    let heading = XMLText.escaped("\(finding.heading): \(finding.details.joined(separator: "; "))")
    let result =
      finding.isKnown
      ? "      <skipped message=\"\(heading)\"/>\n"
      : """
            <failure message="\(heading)" type="\(finding.group.summary.signature.category.rawValue)">\
      \(XMLText.escaped(body(of: finding)))</failure>

      """
    return """
          <testcase classname="\(app)" name="\(XMLText.escaped(name))"\(place)>
      \(result)    </testcase>

      """
  }

  private func body(of finding: TriageFinding) -> String {
    let report = finding.group.exemplar
    let frames = finding.stack.enumerated().map { index, frame in
      let text = FrameText(frame, in: report)
      let beside = text.beside
      return "#\(index) \(text.name)" + (beside.isEmpty ? "" : " at \(beside)")
    }
    return (finding.details + frames + ["report: \(finding.source.printable)"])
      .joined(separator: "\n")
  }

  private func suite(of files: [RefusedFile]) -> String {
    var text = Self.start(
      "Unreadable crash files", tests: files.count, failures: 0, errors: files.count, skipped: 0)
    for file in files {
      text += """
            <testcase classname="mayday" name="\(XMLText.escaped(file.source))">
              <error message="\(XMLText.escaped(file.reason))" type="unreadable"/>
            </testcase>

        """
    }
    return text + "  </testsuite>\n"
  }

  private static func start(
    _ name: String, tests: Int, failures: Int, errors: Int, skipped: Int
  ) -> String {
    """
      <testsuite name="\(XMLText.escaped(name))" tests="\(tests)" failures="\(failures)" \
    errors="\(errors)" skipped="\(skipped)">

    """
  }
}
