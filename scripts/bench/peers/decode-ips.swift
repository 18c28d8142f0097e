// The peer of the .ips parse: Foundation's JSONDecoder into structures that hold what a crash report
// needs. Prints MB a second.
import Foundation

struct Header: Decodable { var app_name: String?; var bug_type: String?; var incident_id: String? }

struct Body: Decodable {
  struct Frame: Decodable {
    var imageOffset: UInt64
    var imageIndex: Int
    var symbol: String?
    var symbolLocation: UInt64?
    var sourceFile: String?
    var sourceLine: Int?
    var inline: Bool?
  }
  struct Register: Decodable { var value: UInt64; var symbol: String? }
  struct Thread: Decodable {
    var id: UInt64?
    var triggered: Bool?
    var name: String?
    var queue: String?
    var frames: [Frame]?
  }
  struct Image: Decodable {
    var uuid: String?
    var base: UInt64?
    var size: UInt64?
    var arch: String?
    var path: String?
    var name: String?
  }
  struct Exception: Decodable {
    var type: String?
    var signal: String?
    var codes: String?
    var rawCodes: [UInt64]?
    var subtype: String?
  }
  var incident: String?
  var procName: String?
  var pid: Int?
  var captureTime: String?
  var modelCode: String?
  var exception: Exception?
  var faultingThread: Int?
  var threads: [Thread]
  var usedImages: [Image]
  var asi: [String: [String]]?
}

let paths = CommandLine.arguments.dropFirst()
var bodies: [Data] = []
for path in paths {
  let data = try Data(contentsOf: URL(fileURLWithPath: path))
  let end = data.firstIndex(of: 10) ?? data.startIndex
  bodies.append(Data(data[data.index(after: end)...]))
}
let decoder = JSONDecoder()
var bytes = 0
let start = DispatchTime.now().uptimeNanoseconds
repeat {
  for body in bodies {
    _ = try decoder.decode(Body.self, from: body)
    bytes += body.count
  }
} while DispatchTime.now().uptimeNanoseconds - start < 1_000_000_000
let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
print(Double(bytes) / 1e6 / seconds)
