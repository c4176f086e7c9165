// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Parameters of a channel; its id is their EIP-712 hash, so none of them can change.
struct ChannelConfig {
    address payer;
    address payerAuthorizer;
    address receiver;
    address receiverAuthorizer;
    address token;
    uint40 withdrawDelay;
    bytes32 salt;
}

struct Voucher {
    ChannelConfig channel;
    uint128 maxClaimableAmount;
}

/// A signed voucher and how much of it is claimed, counted from the channel's beginning.
struct VoucherClaim {
    Voucher voucher;
    bytes signature;
    uint128 totalClaimed;
}

interface IToken {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

interface IWallet {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

interface ICollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external;
}

/// A stand-in for the settlement contract of the x402 scheme `batch-settlement`, for a local chain.
///
/// Written from the ABI that ships in the package x402 evm and the rules of the scheme: same functions, events, errors and EIP-712
/// domain. It has neither constructor nor immutables, so its runtime code works wherever it is placed.
contract StandInSettlement {
    event ChannelCreated(bytes32 indexed channelId, ChannelConfig config);
    event ChannelClosed(bytes32 indexed channelId, ChannelConfig config);
    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance);
    event Claimed(bytes32 indexed channelId, address indexed sender, uint128 claimAmount, uint128 newTotalClaimed);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);
    event WithdrawInitiated(bytes32 indexed channelId, uint128 amount, uint40 finalizeAfter);
    event WithdrawFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount);

    error InvalidChannel();
    error ZeroDeposit();
    error DepositOverflow();
    error InvalidSignature();
    error NotReceiverAuthorizer();
    error NotAuthorizedToClaim();
    error NotAuthorizedToRefund();
    error ClaimExceedsCeiling();
    error ClaimExceedsBalance();
    error WithdrawalAlreadyPending();
    error WithdrawalNotPending();
    error NotAuthorizedToFinalizeWithdraw();
    error WithdrawDelayNotElapsed();
    error NothingToWithdraw();
    error WithdrawAmountExceedsAvailable();
    error WithdrawDelayOutOfRange();
    error EmptyBatch();
    error DepositCollectionFailed();
    error InvalidCollector();
    error InvalidRefundNonce();
    error ZeroRefund();
    error Reentered();
    error TransferFailed();

    struct Channel {
        uint128 balance;
        uint128 totalClaimed;
    }

    struct Withdrawal {
        uint128 amount;
        uint40 initiatedAt;
    }

    struct Receiver {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    uint40 public constant MIN_WITHDRAW_DELAY = 15 minutes;
    uint40 public constant MAX_WITHDRAW_DELAY = 30 days;

    bytes32 public constant CHANNEL_CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant ENTRY_TYPEHASH =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    // Half of the curve's order: of the two signatures for one message only the lower is taken.
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    mapping(bytes32 => Channel) public channels;
    mapping(bytes32 => uint256) public refundNonce;
    mapping(bytes32 => Withdrawal) public pendingWithdrawals;
    mapping(address => mapping(address => Receiver)) public receivers;
    bool private entered;

    modifier locked() {
        if (entered) revert Reentered();
        entered = true;
        _;
        entered = false;
    }

    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; ++i) {
            (bool ok, bytes memory answer) = address(this).delegatecall(data[i]);
            if (!ok) {
                assembly {
                    revert(add(answer, 0x20), mload(answer))
                }
            }
            results[i] = answer;
        }
    }

    /// Takes exactly `amount` of the channel's token through a collector.
    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata collectorData)
        external
        locked
    {
        bool complete = config.payer != address(0) && config.receiver != address(0)
            && config.receiverAuthorizer != address(0) && config.token != address(0);
        if (!complete) revert InvalidChannel();
        if (config.withdrawDelay < MIN_WITHDRAW_DELAY || config.withdrawDelay > MAX_WITHDRAW_DELAY) {
            revert WithdrawDelayOutOfRange();
        }
        if (amount == 0) revert ZeroDeposit();
        if (collector == address(0)) revert InvalidCollector();

        bytes32 id = getChannelId(config);
        Channel storage channel = channels[id];
        if (amount > type(uint128).max - channel.balance) revert DepositOverflow();
        bool isNew = channel.balance == 0 && channel.totalClaimed == 0;
        channel.balance += amount;
        uint256 held = IToken(config.token).balanceOf(address(this));
        ICollector(collector).collect(config.payer, config.token, amount, id, collectorData);
        if (IToken(config.token).balanceOf(address(this)) != held + amount) revert DepositCollectionFailed();
        if (isNew) emit ChannelCreated(id, config);
        emit Deposited(id, msg.sender, amount, channel.balance);
    }

    /// Claims of a caller who is the receiver, or its authorizer, of every channel.
    function claim(VoucherClaim[] calldata claims) external locked {
        if (claims.length == 0) revert EmptyBatch();
        for (uint256 i = 0; i < claims.length; ++i) {
            if (!_isReceiving(claims[i].voucher.channel)) revert NotAuthorizedToClaim();
            _claim(claims[i]);
        }
    }

    /// Claims that the authorizer of all channels has signed; anybody may send them.
    function claimWithSignature(VoucherClaim[] calldata claims, bytes calldata authorizerSignature) external locked {
        if (claims.length == 0) revert EmptyBatch();
        address authorizer = claims[0].voucher.channel.receiverAuthorizer;
        if (!_isSignedBy(authorizer, getClaimBatchDigest(claims), authorizerSignature)) revert InvalidSignature();
        for (uint256 i = 0; i < claims.length; ++i) {
            if (claims[i].voucher.channel.receiverAuthorizer != authorizer) revert NotReceiverAuthorizer();
            _claim(claims[i]);
        }
    }

    /// Pays out what is claimed for a receiver; anybody may call it.
    function settle(address receiver, address token) external locked {
        Receiver storage account = receivers[receiver][token];
        uint128 amount = account.totalClaimed - account.totalSettled;
        if (amount == 0) return;
        account.totalSettled = account.totalClaimed;
        _transfer(token, receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external locked {
        if (!_isPaying(config)) revert InvalidChannel();
        if (amount == 0) revert NothingToWithdraw();
        bytes32 id = getChannelId(config);
        Withdrawal storage pending = pendingWithdrawals[id];
        if (pending.initiatedAt != 0) revert WithdrawalAlreadyPending();
        if (amount > _available(id)) revert WithdrawAmountExceedsAvailable();
        pending.amount = amount;
        pending.initiatedAt = uint40(block.timestamp);
        emit WithdrawInitiated(id, amount, uint40(block.timestamp) + config.withdrawDelay);
    }

    function finalizeWithdraw(ChannelConfig calldata config) external locked {
        if (!_isPaying(config)) revert NotAuthorizedToFinalizeWithdraw();
        bytes32 id = getChannelId(config);
        Withdrawal storage pending = pendingWithdrawals[id];
        if (pending.initiatedAt == 0) revert WithdrawalNotPending();
        if (block.timestamp < uint256(pending.initiatedAt) + config.withdrawDelay) revert WithdrawDelayNotElapsed();
        uint128 amount = _atMost(pending.amount, _available(id));
        delete pendingWithdrawals[id];
        emit WithdrawFinalized(id, msg.sender, amount);
        _payBack(id, config, amount);
    }

    function refund(ChannelConfig calldata config, uint128 amount) external locked {
        if (!_isReceiving(config)) revert NotAuthorizedToRefund();
        _refund(getChannelId(config), config, amount);
    }

    /// A refund that the receiver's authorizer has signed for this nonce; anybody may send it.
    function refundWithSignature(
        ChannelConfig calldata config,
        uint128 amount,
        uint256 nonce,
        bytes calldata receiverAuthorizerSignature
    ) external locked {
        bytes32 id = getChannelId(config);
        if (nonce != refundNonce[id]) revert InvalidRefundNonce();
        bytes32 digest = getRefundDigest(id, nonce, amount);
        if (!_isSignedBy(config.receiverAuthorizer, digest, receiverAuthorizerSignature)) revert InvalidSignature();
        _refund(id, config, amount);
    }

    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(CHANNEL_CONFIG_TYPEHASH, config)));
    }

    function getVoucherDigest(bytes32 channelId, uint128 maxClaimableAmount) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(VOUCHER_TYPEHASH, channelId, maxClaimableAmount)));
    }

    function getRefundDigest(bytes32 channelId, uint256 nonce, uint128 amount) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(REFUND_TYPEHASH, channelId, nonce, amount)));
    }

    function getClaimBatchDigest(VoucherClaim[] calldata claims) public view returns (bytes32) {
        bytes32[] memory entries = new bytes32[](claims.length);
        for (uint256 i = 0; i < claims.length; ++i) {
            Voucher calldata voucher = claims[i].voucher;
            bytes32 id = getChannelId(voucher.channel);
            entries[i] =
                keccak256(abi.encode(ENTRY_TYPEHASH, id, voucher.maxClaimableAmount, claims[i].totalClaimed));
        }
        return _digest(keccak256(abi.encode(BATCH_TYPEHASH, keccak256(abi.encodePacked(entries)))));
    }

    /// What was claimed before is no fault: an old voucher changes nothing.
    function _claim(VoucherClaim calldata one) private {
        ChannelConfig calldata config = one.voucher.channel;
        bytes32 id = getChannelId(config);
        Channel storage channel = channels[id];
        if (one.totalClaimed <= channel.totalClaimed) return;
        if (one.totalClaimed > one.voucher.maxClaimableAmount) revert ClaimExceedsCeiling();
        if (one.totalClaimed > channel.balance) revert ClaimExceedsBalance();

        bytes32 digest = getVoucherDigest(id, one.voucher.maxClaimableAmount);
        bool isSigned = config.payerAuthorizer == address(0)
            ? _isSignedBy(config.payer, digest, one.signature)
            : _recover(digest, one.signature) == config.payerAuthorizer;
        if (!isSigned) revert InvalidSignature();

        uint128 added = one.totalClaimed - channel.totalClaimed;
        channel.totalClaimed = one.totalClaimed;
        receivers[config.receiver][config.token].totalClaimed += added;
        emit Claimed(id, msg.sender, added, one.totalClaimed);
    }

    /// The nonce moves on with every refund, so that no signed one works twice.
    function _refund(bytes32 id, ChannelConfig calldata config, uint128 asked) private {
        if (asked == 0) revert ZeroRefund();
        refundNonce[id] += 1;
        uint128 amount = _atMost(asked, _available(id));
        if (amount == 0) return;
        Withdrawal storage pending = pendingWithdrawals[id];
        if (pending.initiatedAt != 0) {
            if (amount >= pending.amount) delete pendingWithdrawals[id];
            else pending.amount -= amount;
        }
        emit Refunded(id, msg.sender, amount);
        _payBack(id, config, amount);
    }

    function _payBack(bytes32 id, ChannelConfig calldata config, uint128 amount) private {
        Channel storage channel = channels[id];
        channel.balance -= amount;
        if (channel.balance == 0 && channel.totalClaimed == 0) emit ChannelClosed(id, config);
        if (amount > 0) _transfer(config.token, config.payer, amount);
    }

    function _available(bytes32 id) private view returns (uint128) {
        return channels[id].balance - channels[id].totalClaimed;
    }

    function _atMost(uint128 amount, uint128 most) private pure returns (uint128) {
        return amount > most ? most : amount;
    }

    function _isReceiving(ChannelConfig calldata config) private view returns (bool) {
        return msg.sender == config.receiver || msg.sender == config.receiverAuthorizer;
    }

    function _isPaying(ChannelConfig calldata config) private view returns (bool) {
        return msg.sender == config.payer || msg.sender == config.payerAuthorizer;
    }

    function _transfer(address token, address to, uint256 amount) private {
        if (!IToken(token).transfer(to, amount)) revert TransferFailed();
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        bytes32 separator = keccak256(
            abi.encode(
                DOMAIN_TYPEHASH, keccak256("x402 Batch Settlement"), keccak256("1"), block.chainid, address(this)
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", separator, structHash));
    }

    function _isSignedBy(address signer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        if (signer.code.length == 0) return signer != address(0) && _recover(digest, signature) == signer;
        (bool ok, bytes memory answer) =
            signer.staticcall(abi.encodeCall(IWallet.isValidSignature, (digest, signature)));
        return ok && answer.length >= 32 && abi.decode(answer, (bytes32)) == IWallet.isValidSignature.selector;
    }

    /// Zero if no key made the signature.
    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        uint8 v = uint8(signature[64]);
        if (uint256(s) > HALF_ORDER || (v != 27 && v != 28)) return address(0);
        return ecrecover(digest, v, r, s);
    }
}

/// A stand-in for the deposit collector of ERC-3009 tokens: pulls with the payer's signature, which names the channel in
/// its nonce, and hands the money to the settlement contract. Only that contract may call it.
contract StandInCollector {
    error OnlySettlement();
    error TransferFailed();

    address private constant SETTLEMENT = 0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003;

    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external {
        if (msg.sender != SETTLEMENT) revert OnlySettlement();
        (uint256 validAfter, uint256 validBefore, uint256 salt, bytes memory signature) =
            abi.decode(data, (uint256, uint256, uint256, bytes));
        bytes32 nonce = keccak256(abi.encode(channelId, salt));
        IToken(token).receiveWithAuthorization(
            payer, address(this), amount, validAfter, validBefore, nonce, signature
        );
        if (!IToken(token).transfer(SETTLEMENT, amount)) revert TransferFailed();
    }
}
