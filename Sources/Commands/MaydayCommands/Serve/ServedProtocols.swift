import AppCenterProtocol
import BreakpadProtocol
import ServerAPI
import UpdateProtocols
import WebPages

/// The protocols and pages of a server besides its own API, one per line.
enum ServedProtocols {
  static let all: [ServerRoutes.ProtocolRoutes] = [
    { AppCenterRoutes.add(to: &$0, $1) },
    { BreakpadRoutes.add(to: &$0, $1) },
    { UpdateRoutes.add(to: &$0, $1) },
    { PageRoutes.add(to: &$0, $1) },
  ]
}
