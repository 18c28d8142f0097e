import CrashInput
import CrashModel
import Pipeline
import TestSupport
import Testing

@Suite struct SamePairTests {
  @Test("An incident in both of Apple's formats has one signature")
  func pairs() throws {
    let processor = Samples.processor()
    var keys: [String: Set<String>] = [:]
    var formats: [String: Set<String>] = [:]
    let folders = ["apple-ips", "apple-crash"].map(Samples.path)
    InputWalker().walk(folders) { file in
      guard let bytes = try? file.content.get(), let reports = try? processor.process(bytes) else {
        Issue.record("\(file.path) is not read")
        return .next
      }
      // Files with the same name, except for the ending, are of one incident.
      let name = file.path.split(separator: "/").last?.split(separator: ".").dropLast() ?? []
      let key = name.joined(separator: ".")
      for processed in reports {
        keys[key, default: []].insert(processed.report.signature?.key ?? "")
        formats[key, default: []].insert(processed.report.format.description)
      }
      return .next
    }
    let pairs = formats.filter { $0.value.count > 1 }.keys
    #expect(pairs.count > 10)
    for incident in pairs { #expect(keys[incident]?.count == 1, "\(incident)") }
  }
}
