import Archives
import CrashModel
import Pipeline
import Testing

@Suite struct SamePairTests {
  @Test("An incident that came in both of Apple's forms has one signature")
  func pairs() throws {
    let processor = SampleFolder.processor()
    var texts: [String: Set<String>] = [:]
    var formats: [String: Set<String>] = [:]
    let folders = ["apple-ips", "apple-crash"].map { SampleFolder.samples + "/" + $0 }
    InputWalker().walk(folders) { file in
      guard let bytes = try? file.content.get(), let reports = try? processor.process(bytes) else {
        Issue.record("\(file.path) is not read")
        return .next
      }
      for processed in reports {
        let report = processed.report
        guard let incident = report.incident else { continue }
        texts[incident.uppercased(), default: []].insert(report.signature?.key ?? "")
        formats[incident.uppercased(), default: []].insert(report.format.description)
      }
      return .next
    }
    let pairs = formats.filter { $0.value.count > 1 }.keys
    #expect(pairs.count > 10)
    for incident in pairs { #expect(texts[incident]?.count == 1, "\(incident)") }
  }
}
