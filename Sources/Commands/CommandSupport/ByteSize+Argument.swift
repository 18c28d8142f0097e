internal import Arguments
package import CrashService
internal import Rendering

extension ByteSize: ArgumentValue {
  package var argument: String { DebugFileList.size(bytes) }
  package static var valueName: String { "SIZE" }
  package static var example: String? { "500MB or 2GiB" }
}
