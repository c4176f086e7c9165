// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Settles many authorizations (EIP-3009) of one token to one payee in one transaction.
///
/// A batch is 44 bytes and 134 bytes a payment, packed:
///
///   1 mode, 3 most gas of a call, 20 token, 20 payee
///   20 payer, 8 value, 5 validAfter, 5 validBefore, 32 nonce, 32 r, 32 s with the parity of v as its first bit (EIP-2098)
///
/// Modes: 0 makes each payment that can be made; 1 reverts unless all are made, to estimate their gas; 2 returns a byte for
/// each, 1 if it was made, to simulate them.
///
/// A payer with code is left out, since the token would run that code: no code of a payer ever runs, and none can take gas
/// from the others. If the gas left does not do for one more call, the rest is left out, and the log's only topic is the
/// index of the first of them. The token's own logs say who was paid.
///
/// Anybody may call it. It holds nothing, keeps nothing, and an authorization moves money only as its payer has signed.
abstract contract Settling {
    /// `batch` and `end`: the batch in memory, with nothing behind it.
    function _settle(uint256 batch, uint256 end) internal {
        assembly {
            let head := mload(batch)
            let mode := byte(0, head)
            let most := and(shr(224, head), 0xffffff)
            let token := shr(96, mload(add(batch, 4)))
            // transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)
            mstore(end, shl(224, 0xe3ee160e))
            mstore(add(end, 0x24), shr(96, mload(add(batch, 24))))
            let results := add(end, 0x140)
            let index := 0
            for { let item := add(batch, 44) } lt(item, end) { item := add(item, 134) } {
                // A call gets no more than 63/64 of what is left (EIP-150); the rest is for this turn and the next one's end.
                if lt(gas(), add(div(mul(most, 64), 63), 6000)) {
                    if eq(mode, 1) { revert(0, 0) }
                    log1(0, 0, index)
                    break
                }
                let payer := shr(96, mload(item))
                let done := 0
                if iszero(extcodesize(payer)) {
                    let times := mload(add(item, 20))
                    let vs := mload(add(item, 102))
                    mstore(add(end, 0x04), payer)
                    mstore(add(end, 0x44), shr(192, times))
                    mstore(add(end, 0x64), and(shr(152, times), 0xffffffffff))
                    mstore(add(end, 0x84), and(shr(112, times), 0xffffffffff))
                    mstore(add(end, 0xa4), mload(add(item, 38)))
                    mstore(add(end, 0xc4), add(27, shr(255, vs)))
                    mstore(add(end, 0xe4), mload(add(item, 70)))
                    mstore(add(end, 0x104), shr(1, shl(1, vs)))
                    done := call(most, token, 0, end, 0x124, 0, 0)
                }
                if lt(done, eq(mode, 1)) { revert(0, 0) }
                if eq(mode, 2) { mstore8(add(results, index), done) }
                index := add(index, 1)
            }
            return(results, mul(index, eq(mode, 2)))
        }
    }
}

/// On the chain: the batch is the data of a call.
contract Aggregator is Settling {
    fallback() external {
        uint256 end;
        assembly {
            calldatacopy(0x80, 0, calldatasize())
            end := add(0x80, calldatasize())
        }
        _settle(0x80, end);
    }
}

/// Sent along: the batch follows the code of a contract that is never there, and its length, in two bytes, ends it.
contract SentAlong is Settling {
    constructor() {
        uint256 end;
        assembly {
            codecopy(0, sub(codesize(), 2), 2)
            let length := shr(240, mload(0))
            codecopy(0x80, sub(sub(codesize(), 2), length), length)
            end := add(0x80, length)
        }
        _settle(0x80, end);
    }
}
